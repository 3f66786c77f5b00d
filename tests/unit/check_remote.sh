#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests of the software switch, on one in another process: whatever they
# say of it must be so there.  Those of callbacks expect them before the call
# returns, as in a process; test_remote waits for them.
status=0
for name in softasic_objects softasic_api softasic_port_buffers softasic_l2 \
    softasic_l3 softasic_peers softasic_qos sai_negative sai_negative_bridge \
    sai_negative_l3 sai_negative_qos; do
    if ORCHD_TEST_REMOTE=yes "tests/unit/test_$name" >"check_remote_$name.log" 2>&1; then
        echo "ok: $name"
    else
        echo "failed: $name"
        cat "check_remote_$name.log"
        status=1
    fi
    rm -f "check_remote_$name.log"
done
exit $status
