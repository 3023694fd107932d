package io.persist.bench.device;

import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Trait;
import io.persist.bench.doctor.Fingerprint;
import io.persist.bench.load.Stop;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunOutput;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code device}: what the ways to reach a disk cost, measured in a file that is made for it. */
public final class DeviceCommand extends Program {

    private final DeviceFlags flags = new DeviceFlags();
    private final DeviceEngines engines;
    private final String fioProgram;

    /** With the engines of this class path. */
    public DeviceCommand() {
        this(DeviceEngines.load(), "fio");
    }

    /** @param fioProgram the name or path of fio */
    DeviceCommand(DeviceEngines engines, String fioProgram) {
        this.engines = engines;
        this.fioProgram = fioProgram;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "device",
                        "",
                        "Measures ways to reach a disk: engines, patterns and operations, each combination a cell.",
                        "It makes the files, fills them with noise before anything is timed, and deletes them.")
                .note("Engines: " + String.join(", ", engines.names()) + ".")
                .note("An engine that cannot run here is a row that says why. \"source\" is what \"Storing Data\" gives"
                        + " for its disk.")
                .note("CPU is that of this process; MB are 10^6 bytes. Reads that the page cache may have served are"
                        + " \"cached\". Writes without \"+sync\" end in it too, unless the engine goes past it"
                        + " (O_DIRECT).")
                .example("synced writes past the page cache", "--engine direct --syncEvery 1 --file /data/noise")
                .example("two disks at once", "--engine direct --file /disk1/noise,/disk2/noise")
                .example("everything, beside fio, for a page", "--all --fio --file /data/noise --output results")
                .exits("nothing could be measured");
    }

    @Override
    protected List<?> flags() {
        return List.of(flags);
    }

    @Override
    @SuppressWarnings("try") // the output is given back, and nothing else
    protected int work(Call call) throws IOException, InterruptedException {
        flags.validate();
        List<Cell> cells = Matrix.of(flags, engines);
        TestFile.check(files(), patterns(cells));
        try (Stop stop = Stop.onInterrupt();
                RunOutput output = DeviceRuns.take(flags.output, cells)) {
            Fio fio = flags.fio ? Fio.find(fioProgram, flags.block(), flags.seed) : null;
            return measure(cells, fio, stop, call.command(), call.out());
        }
    }

    private List<TestFile> files() {
        return flags.files().stream()
                .map(path -> new TestFile(path, flags.fileSize()))
                .toList();
    }

    private static List<Pattern> patterns(List<Cell> cells) {
        return cells.stream().map(Cell::pattern).distinct().toList();
    }

    private int measure(List<Cell> cells, @Nullable Fio fio, Stop stop, List<String> command, PrintStream out)
            throws IOException, InterruptedException {
        Path directory = flags.files().get(0).toAbsolutePath().getParent();
        Fingerprint fingerprint = Fingerprint.of(directory == null ? Path.of("/") : directory);
        Map<String, String> parameters = describe(cells, fio);
        out.println("Parameters");
        out.print(Text.block(parameters));
        out.println();
        fingerprint.describe().forEach(out::println);
        out.println();
        List<CellResult> results = new ArrayList<>();
        List<TestFile> files = files();
        // Before the stop is closed: then the program ends, if it is to end.
        try {
            if (cells.stream().anyMatch(cell -> cell.pattern() != Pattern.APPEND)) {
                for (TestFile file : files) {
                    file.fill(flags.seed, stop::requested);
                }
            }
            DeviceRuns runs = new DeviceRuns(flags, command, fingerprint.asMap());
            CellRun run = new CellRun(flags, files, fio, fingerprint.memoryBytes(), stop::requested);
            measure(cells, run, runs, results, stop, out);
        } finally {
            for (TestFile file : files) {
                file.close();
            }
            // Also when it fails: what was measured until then has taken its time.
            if (!results.isEmpty()) {
                write(results, fingerprint.asMap(), parameters);
            }
        }
        return results.stream().anyMatch(result -> !result.isEmpty()) ? OK : FAILED;
    }

    private void measure(
            List<Cell> cells, CellRun run, DeviceRuns runs, List<CellResult> results, Stop stop, PrintStream out)
            throws IOException, InterruptedException {
        DeviceTable table = new DeviceTable(flags);
        out.println(table.heading());
        for (Cell cell : cells) {
            if (stop.requested()) {
                out.println("Interrupted: " + results.size() + " of " + cells.size() + " cells were measured.");
                break;
            }
            CellResult result = run.measure(cell);
            results.add(result);
            out.println(table.row(result, results.size() + "/" + cells.size()));
            out.flush();
            if (flags.output != null) {
                runs.write(flags.output, result, results.size());
            }
        }
        DeviceTable.legend(results).forEach(out::println);
    }

    private void write(List<CellResult> results, Map<String, String> environment, Map<String, String> parameters)
            throws IOException {
        DeviceTable table = new DeviceTable(flags);
        if (flags.csv != null) {
            write(flags.csv, table.csv(results));
        }
        if (flags.json != null) {
            write(flags.json, table.json(results, environment, parameters));
        }
    }

    private static void write(Path file, String text) throws IOException {
        try (OutputStream out = ResultFile.create(file)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** For the parameters block; what has no effect says so. */
    private Map<String, String> describe(List<Cell> cells, @Nullable Fio fio) {
        boolean queues = cells.stream().anyMatch(cell -> cell.engine().has(Trait.QUEUES));
        boolean syncs = cells.stream().anyMatch(cell -> cell.syncEvery() > 0);
        boolean asksForSync = flags.syncEvery().stream().anyMatch(every -> every > 0);
        Map<String, String> rows = new LinkedHashMap<>();
        rows.put("files", flags.files() + ", " + Text.bytes(flags.fileSize()) + " each");
        rows.put("block", Text.grouped(flags.block()) + " bytes");
        rows.put(
                "syncEvery",
                flags.syncEvery()
                        + (asksForSync && !syncs ? Text.unused("these cells read, or sync each write anyway") : ""));
        rows.put("depth", flags.depth + (queues ? "" : Text.unused("these engines have one operation in flight")));
        rows.put("seconds", Text.decimal(flags.seconds) + " a cell, after " + Text.decimal(flags.warmup) + " s");
        rows.put("seed", Long.toString(flags.seed));
        rows.put("fio", fio == null ? "no" : fio.version() + ", in turns");
        double seconds = cells.size() * (flags.seconds * (fio == null ? 1 : 2) + flags.warmup);
        rows.put(
                "cells",
                cells.size()
                        + (seconds < 60
                                ? String.format(Locale.ROOT, ", about %.0f s", Math.ceil(seconds))
                                : String.format(Locale.ROOT, ", about %.1f minutes", seconds / 60)));
        return rows;
    }
}
