# figure: What path, sender, network and receiver take of an operation
# needs: 'record: {estats: on}'
# data sides: SELECT x.part, x.flow, x.us FROM (SELECT 1 AS n,
#   'path and queue' AS part, group_name || ' ' || flow AS flow, flow AS f,
#   1e-6 * ideal_ps AS us, run, interval FROM side_list UNION ALL SELECT 2,
#   'sender', group_name || ' ' || flow, flow, 1e-6 * sender_ps, run, interval
#   FROM side_list UNION ALL SELECT 3, 'network', group_name || ' ' || flow, flow,
#   1e-6 * network_ps, run, interval FROM side_list UNION ALL SELECT 4, 'receiver',
#   group_name || ' ' || flow, flow, 1e-6 * receiver_ps, run, interval
#   FROM side_list) x WHERE x.run = ?1 AND x.interval = 'run' AND x.f IN (SELECT
#   flow FROM sides WHERE interval IS NULL ORDER BY flow LIMIT 40)
#   ORDER BY x.n, x.f
set ylabel "mean of an operation, us"
set yrange [0:*]
set key outside below noenhanced
set style data histograms
set style histogram rowstacked
set style fill solid 0.7
set boxwidth 0.8
set xtics rotate by -45 noenhanced font ",8"
plot for [i=0:sides_blocks-1] sides index i using 2:xtic(1) \
    title columnheader(1)
