# figure: Goodput of requests that register memory (section 8.3)
# needs: complete runs of a36-fence
# of: a36-fence
# source: runs
# data goodput: SELECT v.value, 0.02 * d.value * CASE WHEN d.value LIKE '%km' THEN
#   1000 ELSE 1 END, 1e-9 * g.value FROM verdicts g JOIN params v USING (number)
#   JOIN params d USING (number) WHERE g.text = 'figure: goodput' AND
#   v.name = 'variant' AND d.name = 'fabric.links.host' ORDER BY 1, 2
# Two links of a host, there and back, 5 ns per metre.
# The line is what section 8.3 of Bai et al., NSDI 2023, has found: one outstanding
# SEND in each round trip, here of 64 KiB.  It prints no numbers.
set xlabel "round-trip time of the path, us"
set ylabel "goodput, Gb/s"
set logscale xy
set key outside below noenhanced
plot for [i=0:goodput_blocks-1] goodput index i using 1:2 with points pt 7 \
    title columnheader(1), \
    [8:2500] 65536 * 8e-3 / x lw 2 dt 2 title "paper: 64 KiB per round trip"
