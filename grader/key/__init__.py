"""The interviewer's answer key of a session."""
