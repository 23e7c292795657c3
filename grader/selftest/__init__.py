"""A corpus of attacks, and trying them on the sandboxes of the machine it runs on."""
