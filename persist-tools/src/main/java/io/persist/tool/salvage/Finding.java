package io.persist.tool.salvage;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.tool.salvage.LogSalvage.Missing;
import io.persist.tool.salvage.LogSalvage.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a salvage finds, and what it misses, while it goes through a log.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Finding implements GoodFrames.Receiver {

    private final LogSalvage.Taker taker;
    private final DueEnd due;
    private final TransactionCheck transactions = new TransactionCheck();
    private final List<Missing> missing = new ArrayList<>();
    private LogContent content = LogContent.MESSAGES;
    private long records;
    private long first;
    private long last;
    private long bytes;
    private long vacated;
    private boolean isVacatedSince;

    /** The last that were left out as no transactions. */
    private @Nullable Missing leftOut;

    private Missing open = new Missing("", -1, -1, 0, 0, "");

    Finding(LogSalvage.Taker taker, DueEnd due) {
        this.taker = taker;
        this.due = due;
    }

    @Override
    public boolean record(SegmentHeader header, ByteBuffer segment, int offset) throws IOException {
        long sequence = Frame.sequence(segment, offset);
        long position = header.basePosition() + offset;
        boolean isFromTheStart = last > 0 || open.fromPosition() == 0;
        boolean isGone = open.fromPosition() >= 0 && (sequence > last + 1 || !isFromTheStart);
        if (isGone) {
            missing.add(new Missing(
                    open.file(),
                    open.fromPosition(),
                    open.toPosition(),
                    isFromTheStart ? last + 1 : 0,
                    sequence - 1,
                    open.why()));
        } else if (last > 0 && sequence > last + 1 && !isVacatedSince) {
            missing.add(new Missing("", position, position, last + 1, sequence - 1, "their numbers are left out"));
        }
        open = new Missing("", -1, -1, 0, 0, "");
        isVacatedSince = false;
        content = header.content();
        last = sequence;
        String fault = transactions.fault(content, segment, offset, position);
        if (!fault.isEmpty()) {
            long end = position + Frame.aligned(Frame.length(segment, offset));
            leaveOut(new Missing(LogFileName.segment(header.basePosition()), position, end, sequence, sequence, fault));
            return true;
        }
        first = records == 0 ? sequence : first;
        records++;
        bytes += Frame.length(segment, offset) - Frame.HEADER_LENGTH;
        taker.take(header, segment, offset);
        return true;
    }

    /** Those that follow one another are told once, with what is wrong with the first: it may be most of the log. */
    private void leaveOut(Missing record) {
        Missing before = leftOut;
        if (before == null || before.lastSequence() + 1 != record.firstSequence()) {
            leftOut = record;
            missing.add(record);
        } else {
            leftOut = new Missing(
                    before.file(),
                    before.fromPosition(),
                    record.toPosition(),
                    before.firstSequence(),
                    record.lastSequence(),
                    before.why());
            missing.set(missing.size() - 1, leftOut); // nothing is missing in between
        }
    }

    @Override
    public void gap(String file, long from, long to, String why) {
        open = open.fromPosition() < 0
                ? new Missing(file, from, to, 0, 0, why)
                : new Missing(open.file(), open.fromPosition(), to, 0, 0, open.why());
    }

    @Override
    public void vacated(SegmentHeader header) {
        vacated++;
        isVacatedSince = true;
        content = header.content();
    }

    Report report(long end) throws IOException {
        long acknowledged = due.acknowledged();
        if (end < acknowledged && acknowledged < DueEnd.NOT_KNOWN) {
            gap(LogFileName.segment(end), end, acknowledged, "the segment is missing");
        }
        boolean isEmpty = last == 0 && vacated == 0 && (open.fromPosition() < 0 || open.fromPosition() >= acknowledged);
        if (isEmpty && acknowledged > SegmentHeader.LENGTH && acknowledged < DueEnd.NOT_KNOWN) {
            open = new Missing("", 0, acknowledged, 0, 0, "no segment is left that has records");
        }
        long from = open.fromPosition();
        long to = from < 0 ? from : Math.min(open.toPosition(), due.after(from));
        if (from < to) {
            long next = last > 0 || from == 0 ? last + 1 : 0;
            missing.add(new Missing(open.file(), from, to, next, 0, open.why()));
        }
        return new Report(content, records, first, last, bytes, vacated, List.copyOf(missing));
    }
}
