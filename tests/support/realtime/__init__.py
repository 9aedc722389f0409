"""Live play without sockets: a process, its clients and its clock, all driven by hand."""
