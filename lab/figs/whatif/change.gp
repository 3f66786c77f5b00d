# figure: Before and after, in percent of the larger one
# data before: SELECT 'before', name, 100 * value / (SELECT max(value)
#   FROM answer b WHERE b.name = a.name) FROM answer a
#   WHERE run = ?1 AND kind = 'before' ORDER BY number
# data after: SELECT 'after', name, 100 * value / (SELECT max(value)
#   FROM answer b WHERE b.name = a.name) FROM answer a
#   WHERE run = ?1 AND kind = 'after' ORDER BY number
set style data histograms
set style fill solid 0.5
set ylabel "percent of the larger one"
set yrange [0:*]
set xtics rotate by -45 noenhanced font ",8"
set key outside below noenhanced
plot before index 0 using 2:xtic(1) title "before", \
    after index 0 using 2 title "after"
