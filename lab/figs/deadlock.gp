# figure: Depth of queues, and since when some wait for each other
# of: c6-deadlock c6-bounce
# needs: 'record: {deadlocks: TIME, series: {of: queue.depth, ...}}'
# data depth: SELECT object, (t_ps - first_ps) * 1e-9, max(value) * 1e-6
#   FROM sample_list JOIN (SELECT min(t_ps) first_ps, max(t_ps) last_ps
#   FROM sample_list WHERE run = ?1 AND name = 'queue.depth')
#   WHERE run = ?1 AND name = 'queue.depth'
#   GROUP BY object, (t_ps - first_ps) * 200 / (last_ps - first_ps + 1)
#   ORDER BY object, t_ps
# data deadlocks: SELECT 'deadlock', (start_ps - coalesce((SELECT min(t_ps) FROM
#   sample_list WHERE run = ?1 AND name = 'queue.depth'), 0)) * 1e-9, 0,
#   duration_ps * 1e-9 FROM deadlock_list WHERE run = ?1 AND step = 0
#   ORDER BY start_ps
# The deepest of each 200th of the time.
set xlabel "time since the first sample, ms"
set ylabel "depth, MB"
set yrange [0:*]
set key outside below noenhanced
# gnuplot fails if the first file has nothing.
plot "+" using (0):(NaN) notitle, \
    for [i=0:depth_blocks-1] depth index i using 1:2 with lines lw 1.5 \
    title columnheader(1), \
    for [i=0:deadlocks_blocks-1] deadlocks index i using 1:2:3:(0) with vectors \
    nohead lw 6 title columnheader(1)
