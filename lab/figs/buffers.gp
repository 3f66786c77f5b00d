# figure: Wait of messages by buffer per Gb/s of all ports
# of: a42-buffers a42-equal-rules
# needs: variants, and expectations named 'mean wait' and 'p99 of the wait', as a42/buffers has
# source: runs
# data chips: WITH b AS (SELECT number, max(value) AS bytes FROM counters WHERE
#   name = 'buffer_bytes' GROUP BY number), v AS (SELECT number, value AS variant
#   FROM params WHERE name = 'variant'), w AS (SELECT number, text, value FROM
#   verdicts WHERE text IN ('mean wait', 'p99 of the wait')), s AS (SELECT number,
#   sum(speed_bps) / 1e9 AS gbps FROM ports GROUP BY number) SELECT w.text,
#   bytes / gbps / 1e3, avg(w.value) * 1e6, min(w.value) * 1e6, max(w.value) * 1e6,
#   variant FROM w JOIN b USING (number) JOIN v USING (number)
#   JOIN s USING (number) GROUP BY w.text,
#   variant ORDER BY 1, 2
set xlabel "buffer per Gb/s, KB"
set ylabel "latency, us (mean and range of the seeds)"
set logscale xy
set key right top noenhanced
set offsets graph 0.1, graph 0.1, 0, 0
plot for [i=0:chips_blocks-1] chips index i using 1:2:3:4 with yerrorbars \
    pt 7 title columnheader(1), \
    chips index 0 using 1:2:5 with labels noenhanced offset char 2,0.6 \
    font ",8" notitle
