# figure: Share of RDMA in the bytes to hosts, and that of figure 1 of the paper
# of: a1-share
# needs: 'record: {series: {of: queue.bytes, every: TIME}}', RDMA in 3 and 4
# data share: WITH s AS (SELECT series, substr(object, instr(object, '|') + 1) IN
#   ('3', '4') AS is_rdma FROM series WHERE run = ?1 AND metric = 'queue.bytes'
#   AND object LIKE '%.h-%'), d AS (SELECT t_ps, is_rdma, value -
#   coalesce(lag(value) OVER (PARTITION BY series ORDER BY t_ps), 0) AS bytes FROM
#   samples JOIN s USING (series) WHERE run = ?1) SELECT 'RDMA', t_ps * 1e-9,
#   100.0 * sum(bytes * is_rdma) / sum(bytes) FROM d GROUP BY t_ps HAVING
#   sum(bytes) > 0 ORDER BY t_ps
# The second data set is of Bai et al., NSDI 2023: four weeks in 2023.
$paper << EOD
70
EOD
set xlabel "time, ms"
set ylabel "share of RDMA in the bytes to hosts, %"
set yrange [0:100]
set key outside below noenhanced
stats $paper using 1 nooutput
plot share using 1:2 with steps lw 2 title columnheader(1), \
    STATS_mean with lines lw 2 dt 2 title "paper"
