#!/bin/sh
# Starts the edge with the Node beside it, whatever Node the system has or lacks.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/weft-edge.mjs" "$@"
