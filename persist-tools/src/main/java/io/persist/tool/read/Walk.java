package io.persist.tool.read;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.read.Tailer;
import io.persist.tool.print.RecordDecoder;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.Ending;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SegmentFiles;
import io.persist.tool.select.SequenceGaps;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.util.function.Consumer;

/** A place in a log, which moves and prints what it passes. */
final class Walk implements AutoCloseable {

    private final Storage log;
    private final RecordDecoder decoder;
    private final RecordPrinter printer;
    private final PrintStream out;
    private RecordSource source;
    private final SequenceGaps gaps = new SequenceGaps();

    /** A record was read to see whether it starts a commit, and is the next one all the same. */
    private boolean isAhead;

    private boolean isDamaged;

    Walk(Storage log, RecordPrinter printer, PrintStream out) {
        SegmentFiles.requireLog(log);
        this.log = log;
        this.source = new RecordSource(log);
        this.decoder = RecordDecoder.of(log);
        this.printer = printer;
        this.out = out;
    }

    /** Prints the next {@code count} records. */
    void next(long count) {
        for (long i = 0; i < count && advance(); i++) {
            print();
        }
    }

    /**
     * Prints up to the end of the commit that the next record belongs to, and so on until {@code count} commits have
     * ended.
     */
    void commits(long count) {
        long begun = 0;
        while (begun <= count && count > 0 && advance()) {
            if (begun == 0 || source.record().startsCommit()) {
                begun++;
            }
            if (begun > count) {
                isAhead = true;
                return;
            }
            print();
        }
    }

    /** Passes {@code count} records. */
    void skip(long count) {
        for (long i = 0; i < count; i++) {
            if (!advance()) {
                return;
            }
        }
    }

    /** Goes to the record that begins at {@code position}, if one does. */
    void goTo(long position) {
        move(record -> record.toPosition(position));
    }

    /** Goes to the record number {@code sequence}, if there is one. */
    void goToSequence(long sequence) {
        move(record -> record.toSequence(sequence));
    }

    /** Another reader goes there: if there is no such place, this one is where it was. */
    private void move(Consumer<Tailer> step) {
        RecordSource there = new RecordSource(log);
        RecordSource unused = there;
        try {
            step.accept(there.record());
            unused = source;
            source = there;
            isAhead = false;
            gaps.jump();
        } finally {
            unused.close();
        }
    }

    /** Says where the walk is and how far the log goes. */
    void info() {
        EndOfLog end = EndOfLog.of(log);
        out.println(Descriptions.name(log) + ": " + SegmentFiles.content(log).plural() + ", "
                + Descriptions.writer(end.inspection()));
        out.println("  next entry at position " + nextPosition());
        out.println("  log from position " + end.findings().firstPosition() + " to "
                + end.findings().tail() + ", last record " + end.lastSequence());
        if (end.isDamaged()) {
            isDamaged = true;
            out.println("  " + end.damage());
        }
    }

    /** Whether it has said of any place that it is damaged. */
    boolean isDamaged() {
        return isDamaged;
    }

    private long nextPosition() {
        return isAhead ? source.record().position() : source.nextPosition();
    }

    /** Moves to the next record; false, and says why, if there is none. */
    private boolean advance() {
        if (isAhead) {
            isAhead = false;
            return true;
        }
        CorruptLogException damage = null;
        try {
            if (source.next()) {
                sayGap(gaps.note(source.record().sequence()));
                return true;
            }
        } catch (CorruptLogException e) {
            damage = e;
        }
        Ending ending = Ending.at(log, source.nextPosition(), damage);
        isDamaged |= ending.kind() == Ending.Kind.DAMAGED;
        out.println(
                ending.message().isEmpty() ? "end of the log at position " + source.nextPosition() : ending.message());
        return false;
    }

    private void sayGap(long gone) {
        if (gone > 0) {
            long sequence = source.record().sequence();
            out.println(
                    "records " + (sequence - gone) + " to " + (sequence - 1) + " are gone: their segments are vacated");
        }
    }

    private void print() {
        Tailer record = source.record();
        printer.print(record, RecordPump.parts(decoder, record), out);
    }

    @Override
    public void close() {
        source.close();
    }
}
