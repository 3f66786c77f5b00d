# figure: T5 - T1 of requests that register memory (section 8.3)
# needs: complete runs of a36-fence
# of: a36-fence
# source: runs
# data latency: SELECT v.value, 0.02 * d.value * CASE WHEN d.value LIKE '%km' THEN
#   1000 ELSE 1 END, 1e6 * t.value FROM verdicts t JOIN params v USING (number)
#   JOIN params d USING (number) WHERE t.text = 'T5 - T1 of a request' AND
#   v.name = 'variant' AND d.name = 'fabric.links.host' ORDER BY 1, 2
# Two links of a host, there and back, 5 ns per metre.
# Section 8.3 of Bai et al., NSDI 2023, has found a strong correlation of T5 - T1
# with the round-trip time, with many requests outstanding: a line through the
# origin.  It prints no numbers; the slope is the number of requests.
set xlabel "round-trip time of the path, us"
set ylabel "T5 - T1, us"
set logscale xy
set key outside below noenhanced
plot for [i=0:latency_blocks-1] latency index i using 1:2 with points pt 7 \
    title columnheader(1), \
    [8:2500] x lw 2 dt 2 title "paper: in proportion, 1 request", \
    [8:2500] 16 * x lw 2 dt 3 title "paper: in proportion, 16 requests"
