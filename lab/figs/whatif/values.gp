# figure: Packets dropped, and payload, by value
# data dropped: SELECT 'dropped', name, value FROM answer
#   WHERE run = ?1 AND kind = 'dropped' ORDER BY number
# data rows: SELECT 'rows', name, value FROM answer
#   WHERE run = ?1 AND kind = 'rows' ORDER BY number
# data payload: SELECT 'payload', name, value FROM answer
#   WHERE run = ?1 AND kind = 'payload' ORDER BY number
set ylabel "packets dropped"
set y2label "payload, percent of before"
set yrange [0:*]
set y2range [0:*]
set y2tics
set xtics rotate by -45 noenhanced font ",8"
set key outside below noenhanced
# A curve without points would still have its title.
of_rows = rows_blocks ? ", rows index 0 using 0:2 with linespoints dt 2 \
    title 'with the rows of the answer'" : ""
of_payload = payload_blocks ? ", payload index 0 using 0:2 axes x1y2 \
    with linespoints title 'payload'" : ""
plot dropped index 0 using 0:2:xtic(1) with linespoints lw 2 \
    title "packets dropped" @of_rows @of_payload
