package io.persist.fuzz;

import io.persist.LogMonitor;
import io.persist.file.Storage;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogRepair;
import io.persist.tool.Output;
import io.persist.tool.ToolRunner;
import io.persist.tool.repair.VerifyTool;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Whoever only looks at a log changes nothing, and sees the same each time. */
final class ReadingUse implements Use {

    private final FuzzInput input;
    private final Disk disk;
    private final Storage storage;

    ReadingUse(FuzzInput input, Disk disk) {
        this.input = input;
        this.disk = disk;
        this.storage = disk.storage();
    }

    @Override
    public void run() {
        twice("reading", this::read).get().checkLiesIn(disk.files());
        twice("going to a place", this::seek);
        twice("the monitor", () -> new LogMonitor(storage).read().slowestCursorLag());
        twice("the monitor's extent", this::extent);
        twice("the list of cursors", () -> new LogCursors(storage).list());
        twice(
                "planning a repair",
                () -> new LogRepair(storage).plan().findings().toString());
        twice("verification", this::verify);
    }

    private <T> Outcome<T> twice(String what, Supplier<T> use) {
        Outcome<T> first = Use.attempt(use);
        disk.checkUnchanged(what);
        Use.requireSame(first, Use.attempt(use), what + " for the second time");
        return first;
    }

    private LogMonitor.Extent extent() {
        LogMonitor.Extent extent = new LogMonitor(storage).extent();
        Use.require(extent.firstPosition() >= 0 && extent.bytes() >= 0, "impossible: " + extent);
        return extent;
    }

    private Reading read() {
        return Reading.of(storage, input.settings().reader());
    }

    /** To the numbers and positions that the edits have, as they are as good as any. */
    private List<String> seek() {
        try (Tailer tailer = Tailer.open(storage, input.settings().reader())) {
            return input.edits().stream()
                    .limit(4)
                    .map(edit -> go(() -> tailer.toSequence(edit.value()), tailer)
                            + go(() -> tailer.toPosition(edit.value()), tailer)
                            + go(() -> tailer.toPosition(edit.place()), tailer)
                            + go(tailer::toEnd, tailer))
                    .toList();
        }
    }

    private static String go(Runnable step, Tailer tailer) {
        try {
            return Use.attempt(() -> {
                        step.run();
                        return tailer.nextPosition() + (tailer.next() ? "+" : "-");
                    })
                    .toString();
        } catch (IllegalArgumentException noSuchPlace) {
            return Use.refusal(noSuchPlace);
        }
    }

    /** The exit code and the report; it has a time in it, which is left out. */
    private String verify() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code;
        try (PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
                PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            code = ToolRunner.run(storage, new VerifyTool(Output.JSON, base -> {}), out, print);
        }
        String said = err.toString(StandardCharsets.UTF_8);
        Use.require(!said.contains("cannot go on"), "verify met what nobody expected: " + said);
        return code + " " + said;
    }
}
