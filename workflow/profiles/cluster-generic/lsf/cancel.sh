#!/bin/sh
exec bkill "$@"
