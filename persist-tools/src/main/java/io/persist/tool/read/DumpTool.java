package io.persist.tool.read;

import io.persist.file.Storage;
import io.persist.log.recovery.AsideFile;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.salvage.LogSalvage;
import io.persist.tool.salvage.LogSalvage.Place;
import io.persist.tool.salvage.ReadableStorage;
import io.persist.tool.salvage.ReadableStorage.Unreadable;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.Ending;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.RecordSelection;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.util.Optional;

/**
 * Prints the records of a log up to its end, or up to the first damage, which it reports. Its memory does not grow with
 * the log.
 */
public final class DumpTool implements LogTool {

    /** What is done at damage. */
    public enum Damage {
        STOP,
        /**
         * It is left out, which is said, and the dump goes on with the next record that verifies. So is what cannot be
         * read.
         */
        SKIP
    }

    private final RecordRange range;
    private final SkipAndLimit skipAndLimit;
    private final RecordPrinter printer;
    private final Damage damage;

    /** A dump of the records in {@code range}. */
    public DumpTool(RecordRange range, RecordPrinter printer) {
        this(range, SkipAndLimit.ALL, printer);
    }

    /** A dump of a part of the records in {@code range}. */
    public DumpTool(RecordRange range, SkipAndLimit skipAndLimit, RecordPrinter printer) {
        this(range, skipAndLimit, printer, Damage.STOP);
    }

    /** The same, and what is done at damage. */
    public DumpTool(RecordRange range, SkipAndLimit skipAndLimit, RecordPrinter printer, Damage damage) {
        this.range = range;
        this.skipAndLimit = skipAndLimit;
        this.printer = printer;
        this.damage = damage;
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        return run(log, damage, out, err);
    }

    /** It hardly ever begins with a whole record: it was cut because of what is there. */
    @Override
    public int runAside(AsideFile aside, PrintStream out, PrintStream err) {
        return run(aside.storage(), Damage.SKIP, out, err);
    }

    private int run(Storage all, Damage damage, PrintStream out, PrintStream err) {
        Storage log = damage == Damage.SKIP ? ReadableStorage.of(all) : all;
        try (RecordSource source = new RecordSource(log)) {
            source.goTo(range);
            RecordSelection selection = new RecordSelection(wanted(log), skipAndLimit);
            RecordPump pump = new RecordPump(log, source, selection, printer, out);
            printer.begin(log.description(), out);
            String message = "something went wrong on the way; records are missing";
            try {
                Ending ending = dump(log, source, pump);
                boolean isWhole = true;
                long jumpedTo = -1;
                while (ending.kind() == Ending.Kind.DAMAGED && damage == Damage.SKIP) {
                    isWhole = false;
                    Optional<Place> next = skip(log, source, pump, jumpedTo, out, err);
                    jumpedTo = next.isEmpty() ? -1 : next.get().position();
                    ending = next.isEmpty() ? Ending.PLAIN : dump(log, source, pump);
                }
                message = isWhole ? ending.message() : "damaged records are left out";
                return Math.max(pump.finish(ending, err), isWhole ? ExitCode.OK : ExitCode.FAILURE);
            } finally {
                printer.end(selection.counts(), message, out);
            }
        }
    }

    /**
     * Goes to the next record that verifies, if there is one. If none could be read where the last jump went, that
     * segment has none for this reader: its file is cut short, or the reader has begun in a segment of another log.
     */
    private static Optional<Place> skip(
            Storage log, RecordSource source, RecordPump pump, long jumpedTo, PrintStream out, PrintStream err) {
        long from = source.nextPosition();
        LogSalvage salvage = new LogSalvage(log);
        boolean isUnreadable = from == jumpedTo;
        Optional<Place> next = isUnreadable ? salvage.nextBehindSegment(from) : salvage.next(from);
        if (next.isEmpty() && !isUnreadable && !pump.isAtDamage() && !isMissed(log, from)) {
            return next; // the log's end, and not one more damaged place
        }
        out.flush();
        if (next.isEmpty() || next.get().position() > from) {
            err.println("persist: " + Descriptions.name(log) + ": from position " + from
                    + (isUnreadable ? unreadable(next) : damaged(ReadableStorage.of(log), from, next)));
        }
        next.ifPresent(source::jumpTo);
        pump.jump();
        return next;
    }

    private static String damaged(ReadableStorage log, long from, Optional<Place> next) {
        Optional<Unreadable> part =
                log.unreadable(from, next.map(Place::position).orElse(Long.MAX_VALUE));
        String why = part.map(Unreadable::reason).orElse("is damaged");
        return next.map(place -> upTo(place) + " is left out: it " + why)
                .orElse(" on nothing verifies"
                        + part.map(it -> ": it " + it.reason()).orElse(""));
    }

    private static String unreadable(Optional<Place> next) {
        return next.map(DumpTool::upTo).orElse(" on")
                + " is left out: a dump cannot read that segment, of which salvage copies what verifies";
    }

    private static String upTo(Place place) {
        return " to " + place.position() + ", where record " + place.sequence() + " begins,";
    }

    /** Whether records are missing from there on, where none verifies. */
    private static boolean isMissed(Storage log, long from) {
        return EndOfLog.of(log).findings().proof().acknowledged() > from || new LogSalvage(log).isUnreadFrom(from);
    }

    private static Ending dump(Storage log, RecordSource source, RecordPump pump) {
        while (pump.run()) {
            Ending ending = pump.ending();
            if (ending.kind() != Ending.Kind.MORE) {
                return isEndUnread(log, source) ? new Ending(Ending.Kind.DAMAGED, "") : ending;
            }
        }
        return Ending.PLAIN;
    }

    /** Whether the log ends where the disk cannot read it: a record may be there. */
    private static boolean isEndUnread(Storage log, RecordSource source) {
        return log instanceof ReadableStorage && new LogSalvage(log).isUnreadFrom(source.nextPosition());
    }

    /** A dump of a live log ends where the log does now: a writer may be faster than a dump. */
    private RecordRange wanted(Storage log) {
        EndOfLog now = EndOfLog.of(log);
        return Descriptions.isLive(now.inspection()) && !now.isDamaged()
                ? range.before(now.findings().tail())
                : range;
    }
}
