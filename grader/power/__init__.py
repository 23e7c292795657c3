"""What a candidate's own tests are worth: which bugs they catch while right engines pass them.

`suite` takes the tests from a hand-in. In the sandbox `runner` forks a process for each engine,
where `reporter` tells of each test. `run` talks to the runner, `results` reads what was told, and
`measure` makes sense of it.
"""
