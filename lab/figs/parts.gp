# figure: Where the time of an operation is, as only the model knows
# needs: 'record: {estats: on}'
# data parts: SELECT x.part, x.what, x.us FROM (SELECT 1 AS n, 'T1-T2 post' AS
#   part, group_name || ' ' || flow || ' ' || name AS what, flow, 1e-6 *
#   part_post_ps AS us, run, interval, state FROM estats_list UNION ALL SELECT 2,
#   'T2-T3 send', group_name || ' ' || flow || ' ' || name, flow, 1e-6 *
#   part_send_ps, run, interval, state FROM estats_list UNION ALL SELECT 3,
#   'T3-T4 network', group_name || ' ' || flow || ' ' || name, flow, 1e-6 *
#   part_network_ps, run, interval, state FROM estats_list UNION ALL SELECT 4,
#   'T4-T5 finish', group_name || ' ' || flow || ' ' || name, flow, 1e-6 *
#   part_finish_ps, run, interval, state FROM estats_list UNION ALL SELECT 5,
#   'T5-T6 poll', group_name || ' ' || flow || ' ' || name, flow, 1e-6 *
#   part_poll_ps, run, interval, state FROM estats_list) x WHERE x.run = ?1 AND
#   x.interval = 'run' AND x.state = 'ok' AND x.flow IN (SELECT flow FROM sides
#   WHERE interval IS NULL ORDER BY flow LIMIT 40) ORDER BY x.n, x.flow, x.what
set ylabel "mean of an operation, us"
set yrange [0:*]
set key outside below noenhanced
set style data histograms
set style histogram rowstacked
set style fill solid 0.7
set boxwidth 0.8
set xtics rotate by -45 noenhanced font ",8"
plot for [i=0:parts_blocks-1] parts index i using 2:xtic(1) \
    title columnheader(1)
