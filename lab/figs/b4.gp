# figure: Round trips beside a service, and percentiles of figure 6 of the paper
# of: b4-service
# needs: traffic 'pingmesh' called mesh, and 'record: {messages: true}'
# data probes: WITH g AS (SELECT replace(replace(replace(substr(group_name, 6),
#   '-t0', ''), '-podset', ''), '-dc', '') AS name, latency_ps * 1e-6 AS us FROM
#   message_list WHERE run = ?1 AND state = 'done' AND group_name LIKE 'mesh-%'
#   ), m AS (SELECT name, us, row_number() OVER
#   (PARTITION BY name ORDER BY us DESC) AS r, count(*) OVER (PARTITION BY name)
#   AS n FROM g) SELECT name, us, 1.0 * r / n FROM m WHERE r <= 100 OR
#   r % (n / 1000 + 1) = 0 ORDER BY name, r
# The second data set is of Guo et al., SIGCOMM 2016: a percentile is a point.
$paper << EOD
90 0.01 "RDMA"
200 0.001 "RDMA"
700 0.01 "TCP"
EOD
set xlabel "round trip, us"
set ylabel "share of probes that take longer"
set logscale xy
set yrange [1e-4:1]
set key outside below noenhanced
plot for [i=0:probes_blocks-1] probes index i using 1:2 with lines lw 2 \
    title columnheader(1), \
    $paper using 1:2:3 with labels rotate by 45 left point pt 7 ps 1.2 offset 0.6,0.6 \
    title "paper"
