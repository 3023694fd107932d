package io.persist.tool.read;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.read.Tailer;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.Ending;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SegmentFiles;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One of the two logs of a comparison, and its current record. */
final class ComparedLog implements AutoCloseable {

    private final Storage log;
    private final RecordRange range;
    private final RecordSource source;
    private final EndOfLog end;
    private final long vacated;
    private long lastRead;
    private boolean hasRecord;
    private String damage = "";

    /** Before the first record of {@code range}, of which only the numbers count. */
    ComparedLog(Storage log, RecordRange range) {
        this.log = log;
        this.range = range;
        this.end = EndOfLog.of(log);
        this.vacated = SegmentFiles.vacated(log);
        this.source = new RecordSource(log);
        source.goTo(range);
    }

    /** Moves to the next record of the range, if it was there when the comparison began. */
    boolean next() {
        hasRecord = false;
        CorruptLogException found = null;
        try {
            while (source.next()) {
                lastRead = source.record().sequence();
                if (lastRead >= range.fromSequence()) {
                    hasRecord = lastRead <= Math.min(range.toSequence(), lastSequence());
                    damage = lastRead > lastSequence() ? end.damage() : "";
                    return hasRecord;
                }
            }
        } catch (CorruptLogException e) {
            found = e;
        }
        damage = damageAt(source.nextPosition(), found);
        return false;
    }

    private String damageAt(long next, @Nullable CorruptLogException found) {
        Ending ending = Ending.at(log, next, found);
        if (ending.kind() == Ending.Kind.MORE && lastRead < lastSequence()) {
            ending = Ending.atSilence(log, next);
        }
        return ending.kind() == Ending.Kind.DAMAGED ? ending.message() : "";
    }

    boolean hasRecord() {
        return hasRecord;
    }

    /** Why no further record can be read; empty if the log ends there, or if there is one. */
    String damage() {
        return damage;
    }

    long sequence() {
        return source.record().sequence();
    }

    /** Of the current record, until {@link #next}. */
    ByteBuffer payload() {
        return source.record().payloadUntilNext();
    }

    boolean startsCommit() {
        return source.record().startsCommit();
    }

    /** Where the current record begins; where the next one should if there is none. */
    long position() {
        Tailer record = source.record();
        return hasRecord ? record.position() : record.nextPosition();
    }

    /** The number of the last record when the comparison began. */
    long lastSequence() {
        return end.lastSequence();
    }

    /** How many segments had lost their records to compaction. */
    long vacated() {
        return vacated;
    }

    Storage storage() {
        return log;
    }

    @Override
    public void close() {
        source.close();
    }
}
