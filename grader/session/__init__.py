"""Sessions: what an interview starts from, the candidate's side and the interviewer's."""
