# figure: Pauses of ports over time
# of: a39-loopback b2-pauses a10-watchdog
# data bars: SELECT role, start_ps * 1e-6, sum(coalesce(end_ps, virtual_ps) -
#   start_ps) * 1e-6, dense_rank() OVER (ORDER BY tier, node, port, priority),
#   node || ' ' || port || '|' || priority FROM (SELECT * FROM pause_list p
#   JOIN runs r USING (run) WHERE run = ?1 ORDER BY start_ps)
#   GROUP BY tier, role, node, port, priority, start_ps * 100 / virtual_ps
#   ORDER BY tier, role, start_ps
# Pauses that begin in the same 100th of the time are one line, which is as long
# as all of them.
set xlabel "time, us"
set ylabel "paused port"
set key outside noenhanced
set ytics noenhanced font ",8"
set offsets 0, 0, 1, 1
plot for [i=0:bars_blocks-1] bars index i using 1:3:2:(0):ytic(4) \
    with vectors nohead lw 4 title columnheader(1)
