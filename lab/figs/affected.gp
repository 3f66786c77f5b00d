# figure: Share of hosts that a fault affects, and when watchdogs act
# of: a11-pfc-storm a11-pfc-storm-small a11-switch-port c7-pause-storm
# needs: 'record: {series: {of: hosts.affected, every: TIME}}', and a fault
# data affected: SELECT 'hosts', t_ps * 1e-9, 100.0 * value / (SELECT count(*)
#   FROM nodes WHERE run = ?1 AND tier = -1) FROM sample_list WHERE run = ?1 AND
#   name = 'hosts.affected' ORDER BY t_ps
# data storms: SELECT name || ' acts at ' || node, detected_ps * 1e-9, 0,
#   coalesce(restored_ps, (SELECT virtual_ps FROM runs WHERE run = ?1)) * 1e-9 -
#   detected_ps * 1e-9 FROM storm_list WHERE run = ?1 ORDER BY detected_ps
set xlabel "time, ms"
set ylabel "hosts that send or receive less than 5 % of before, %"
set yrange [-5:105]
set xrange [0:*]
set key outside below noenhanced
plot for [i=0:affected_blocks-1] affected index i using 1:2 with steps lw 2 \
    title columnheader(1), \
    for [i=0:storms_blocks-1] storms index i using 1:2:3:(0) with vectors \
    nohead lw 4 title columnheader(1)
