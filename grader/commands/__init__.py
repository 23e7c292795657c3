"""What the commands do: read, run, write; one module for each."""
