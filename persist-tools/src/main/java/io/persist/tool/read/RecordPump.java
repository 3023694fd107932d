package io.persist.tool.read;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.log.read.Tailer;
import io.persist.tool.ExitCode;
import io.persist.tool.print.Part;
import io.persist.tool.print.RecordDecoder;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.select.Ending;
import io.persist.tool.select.RecordSelection;
import io.persist.tool.select.RecordSelection.Verdict;
import io.persist.tool.select.RecordSource;
import io.persist.tool.select.SequenceGaps;
import io.persist.tool.text.Descriptions;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints a log's records, and finds out what there is where they end. */
final class RecordPump {

    /** Now and then it looks whether anybody still reads. */
    private static final int CHECK_INTERVAL = 1 << 12;

    private final Storage log;
    private final RecordSource source;
    private final RecordSelection selection;
    private final RecordDecoder decoder;
    private final RecordPrinter printer;
    private final PrintStream out;
    private final SequenceGaps gaps = new SequenceGaps();
    private long lookedFurtherAt = -1;
    private @Nullable CorruptLogException damage;

    RecordPump(Storage log, RecordSource source, RecordSelection selection, RecordPrinter printer, PrintStream out) {
        this.log = log;
        this.source = source;
        this.selection = selection;
        this.decoder = RecordDecoder.of(log);
        this.printer = printer;
        this.out = out;
    }

    /** Prints what there is now; false if no more is wanted. */
    boolean run() {
        damage = null;
        try {
            while (!selection.isFull() && source.next()) {
                Tailer record = source.record();
                Verdict verdict = selection.judge(record);
                if (verdict == Verdict.STOP) {
                    return false;
                }
                if (verdict == Verdict.TAKE) {
                    gaps.note(record.sequence());
                    printer.print(record, parts(decoder, record), out);
                }
                if (record.sequence() % CHECK_INTERVAL == 0 && out.checkError()) {
                    return false;
                }
            }
        } catch (CorruptLogException e) {
            damage = e;
        }
        return !selection.isFull();
    }

    /** What the current record is made of. A payload that is not what it should be is no reason not to go on. */
    static List<Part> parts(RecordDecoder decoder, Tailer record) {
        ByteBuffer payload = record.payloadUntilNext();
        try {
            return decoder.parts(payload.duplicate().order(payload.order()), record.position());
        } catch (CorruptLogException | UnsupportedFormatException e) {
            return List.of(new Part(
                    "undecodable",
                    List.of(
                            new Part.TextField("why", String.valueOf(e.getMessage())),
                            new Part.BytesField("payload", payload))));
        }
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

    /** Records are left out on purpose. */
    void jump() {
        gaps.jump();
    }

    /** Says which records were not there among those that were printed, if any. */
    void sayGaps(PrintStream err) {
        String gone = gaps.take();
        if (!gone.isEmpty()) {
            out.flush();
            err.println("persist: " + Descriptions.name(log) + ": " + gone);
        }
    }

    /** Says what the ending is, if it is not a plain one; returns the exit code. */
    int finish(Ending ending, PrintStream err) {
        out.flush();
        sayGaps(err);
        if (!ending.message().isEmpty()) {
            err.println("persist: " + Descriptions.name(log) + ": " + ending.message());
        }
        return ending.kind() == Ending.Kind.DAMAGED ? ExitCode.FAILURE : ExitCode.OK;
    }
}
