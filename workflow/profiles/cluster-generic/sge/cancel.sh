#!/bin/sh
exec qdel "$@"
