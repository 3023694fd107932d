package io.persist.tool;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.Tailer;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints a log's records, and finds out what there is where they end. */
final class RecordPump {

    /** Now and then it looks whether anybody still reads. */
    private static final int CHECK_INTERVAL = 1 << 12;

    private final Storage log;
    private final RecordSource source;
    private final RecordRange range;
    private final RecordPrinter printer;
    private final PrintStream out;
    private long printed;
    private long lookedFurtherAt = -1;
    private @Nullable CorruptLogException damage;

    RecordPump(Storage log, RecordSource source, RecordRange range, RecordPrinter printer, PrintStream out) {
        this.log = log;
        this.source = source;
        this.range = range;
        this.printer = printer;
        this.out = out;
    }

    /** Prints what there is now; false if no more is wanted. */
    boolean run() {
        damage = null;
        try {
            while (printed < range.limit() && source.next()) {
                Tailer record = source.record();
                if (range.isBehind(record.position(), record.sequence())) {
                    return false;
                }
                if (range.contains(record.position(), record.sequence())) {
                    printer.print(record, out);
                    printed++;
                }
                if (record.sequence() % CHECK_INTERVAL == 0 && out.checkError()) {
                    return false;
                }
            }
        } catch (CorruptLogException e) {
            damage = e;
        }
        return printed < range.limit();
    }

    boolean isAtDamage() {
        return damage != null;
    }

    /** What is in place of the next record; MORE is said at most once about a place. */
    Ending ending() {
        long next = source.nextPosition();
        if (next == lookedFurtherAt && damage == null) {
            return Ending.atSilence(log, next);
        }
        Ending ending = Ending.at(log, next, damage);
        lookedFurtherAt = next;
        return ending;
    }

    /** Says what the ending is, if it is not a plain one; returns the exit code. */
    int finish(Ending ending, PrintStream err) {
        out.flush();
        if (!ending.message().isEmpty()) {
            err.println("persist: " + log.description() + ": " + ending.message());
        }
        return ending.kind() == Ending.Kind.DAMAGED ? ExitCode.FAILURE : ExitCode.OK;
    }
}
