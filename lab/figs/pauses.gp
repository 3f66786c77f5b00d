# figure: Pauses of ports over time
# of: a39-loopback b2-pauses a10-watchdog
# data bars: SELECT role, start_ps * 1e-6, coalesce(end_ps, (SELECT virtual_ps
#   FROM runs r WHERE r.run = p.run)) * 1e-6 - start_ps * 1e-6,
#   dense_rank() OVER (ORDER BY tier, node, port, priority), node || ' ' ||
#   port || '|' || priority FROM pause_list p WHERE run = ?1
#   ORDER BY tier, role, start_ps
set xlabel "time, us"
set ylabel "paused port"
set key outside noenhanced
set ytics noenhanced font ",8"
set offsets 0, 0, 1, 1
plot for [i=0:bars_blocks-1] bars index i using 1:3:2:(0):ytic(4) \
    with vectors nohead lw 4 title columnheader(1)
