package io.persist.tool.read;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Pause;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.select.Ending;
import io.persist.tool.select.RecordRange;
import io.persist.tool.select.RecordSelection;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SkipAndLimit;
import io.persist.tool.select.VacatedNumbers;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints the last records of a log, and those that are appended from then on if it is to follow the log. */
public final class TailTool implements LogTool {

    private static final RecordRange NOTHING = RecordRange.ALL.before(0);

    private final long count;
    private final RecordPrinter printer;
    private final @Nullable Pause pause;

    private TailTool(long count, RecordPrinter printer, @Nullable Pause pause) {
        if (count < 0) {
            throw new IllegalArgumentException("--count " + count + " is out of range; give a value from 0 on");
        }
        this.count = count;
        this.printer = printer;
        this.pause = pause;
    }

    /** A tool that prints the last {@code count} records. */
    public static TailTool last(long count, RecordPrinter printer) {
        return new TailTool(count, printer, null);
    }

    /** A tool that goes on after the last {@code count} records, while the log is closed and opened too. */
    public static TailTool following(long count, RecordPrinter printer, Pause pause) {
        return new TailTool(count, printer, pause);
    }

    @Override
    public int run(Storage log, PrintStream out, PrintStream err) {
        EndOfLog end = EndOfLog.of(log);
        long last = end.lastSequence();
        long from = VacatedNumbers.of(log).lastFrom(count, last);
        try (RecordSource source = new RecordSource(log)) {
            source.goToSequence(from);
            long to = pause == null ? last : Long.MAX_VALUE; // a writer may be faster than this
            RecordRange range = from > to ? NOTHING : new RecordRange(0, Long.MAX_VALUE, from, to, Long.MAX_VALUE);
            RecordSelection selection = new RecordSelection(range, SkipAndLimit.ALL);
            RecordPump pump = new RecordPump(log, source, selection, printer, out);
            printer.begin(log.description(), out);
            return pause == null ? once(pump, end, err) : follow(pump, source, pause, out, err);
        }
    }

    private static int once(RecordPump pump, EndOfLog end, PrintStream err) {
        Ending ending = new Ending(Ending.Kind.MORE, "");
        while (ending.kind() == Ending.Kind.MORE && pump.run()) {
            ending = pump.ending();
        }
        int code = pump.finish(ending, err);
        return ending.kind() == Ending.Kind.DAMAGED ? code : end.say(err);
    }

    private static int follow(RecordPump pump, RecordSource source, Pause pause, PrintStream out, PrintStream err) {
        long seen = -1;
        long times = 0;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = runOrSkip(pump, source, out, err);
            pump.sayGaps(err);
            if (pump.isAtDamage()) {
                // A torn tail stays until a writer opens the log; damage stays.
                Ending ending = pump.ending();
                if (ending.kind() == Ending.Kind.DAMAGED) {
                    return pump.finish(ending, err);
                }
            }
            times = source.nextPosition() == seen ? times + 1 : 1;
            seen = source.nextPosition();
            goesOn = goesOn && !out.checkError() && pause.await(times);
        }
        return ExitCode.OK;
    }

    /** Retention may be faster than the reader: what is lost is said, and the oldest record that is left comes next. */
    private static boolean runOrSkip(RecordPump pump, RecordSource source, PrintStream out, PrintStream err) {
        try {
            return pump.run();
        } catch (RetiredException e) {
            out.flush();
            err.println("persist: " + e.getMessage());
            source.record().toStart();
            pump.jump();
            return true;
        }
    }
}
