package io.persist.bench.report;

import com.beust.jcommander.Parameter;
import io.persist.bench.result.ResultFile;
import io.persist.bench.result.RunDirectory;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code report DIR...}: what runs of benchmarks have measured, as one HTML page, or as a table. */
public final class ReportCommand extends Program {

    private static final Path PAGE = Path.of("report.html");

    /** All slices together take less than half of a page that is to stay below 1.5 MB. */
    private static final int ALL_SLICES = 12_000;

    private static final int MIN_SLICES = 40;
    private static final int MAX_SLICES = 300;

    private final Path page;

    @Parameter(
            names = "--output",
            placeholder = "FILE",
            description = "file to write; by default report.html, but a table is printed")
    private @Nullable Path output;

    @Parameter(names = "--csv", description = "a table as CSV, as in RFC 4180, instead of the page")
    private boolean csv;

    @Parameter(names = "--json", description = "a table as JSON instead of the page")
    private boolean json;

    @Parameter(names = "--title", placeholder = "TEXT", description = "title of the page")
    private String title = "Benchmarks of Persist";

    /** At its defaults. */
    public ReportCommand() {
        this(PAGE);
    }

    /** @param page the file to write by default */
    ReportCommand(Path page) {
        this.page = page;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "report",
                        "DIR...",
                        "Draws what runs of benchmarks have measured as one HTML page, or prints it as a table.")
                .note("DIR is what --output of a benchmark named, or a directory with several of these below it.")
                .note("Histogram logs (*.hlog) of other programs, in ns, are shown too.")
                .example("all runs below the directory results", "results --output results.html")
                .exits("a run cannot be read, or the page not be written");
    }

    @Override
    protected int work(Call call) throws IOException {
        List<Path> directories = directories(call.operands());
        Path file = output == null ? page : output;
        List<RunSummary> runs = read(directories);
        if (csv || json) {
            printTable(new SummaryTable(runs), file, call.out());
        } else {
            long length = write(file, ReportPage.of(title, runs));
            call.out()
                    .printf(
                            Locale.ROOT,
                            "Report of %d %s in %s, %d KiB. Open it in a browser.%n",
                            runs.size(),
                            runs.size() == 1 ? "run" : "runs",
                            file,
                            (length + 1023) / 1024);
        }
        return OK;
    }

    private List<Path> directories(List<String> roots) {
        if (roots.isEmpty()) {
            throw new UsageException("no DIR is given; name what --output of a benchmark named");
        }
        if (csv && json) {
            throw new UsageException("--csv and --json are two tables; leave one of them out");
        }
        if (output != null && isResult(String.valueOf(output.getFileName()))) {
            throw new UsageException("--output " + output
                    + " has the name of what a run has measured, which it would replace; name another file");
        }
        // Other tools have the same name for their pages; whoever gives --output has said what is to be replaced.
        if (output == null && !csv && !json && Files.exists(page) && !ReportPage.isIn(page)) {
            throw new UsageException(page + " is there and is no page of this command, which would replace"
                    + " it; move it away, or name another file with --output");
        }
        List<Path> directories = roots.stream().map(Path::of).toList();
        for (Path directory : directories) {
            String why = FileReason.ofNoDirectory(directory);
            if (!why.isEmpty()) {
                throw new UsageException(directory + " is no directory (" + why + "); name one that has runs below it");
            }
        }
        return directories;
    }

    private static boolean isResult(String name) {
        return name.equals(RunDirectory.FILE) || name.startsWith("latencies.");
    }

    private static List<RunSummary> read(List<Path> roots) throws IOException {
        Map<Path, Path> found = new LinkedHashMap<>();
        for (Path root : roots) {
            for (Path run : RunFinder.find(root)) {
                found.putIfAbsent(run.toRealPath(), run);
            }
        }
        int files = 0;
        for (Path run : found.values()) {
            files += RunFinder.histogramLogs(run).size();
        }
        int maxSlices = Math.max(MIN_SLICES, Math.min(MAX_SLICES, ALL_SLICES / Math.max(1, files)));
        RunReader reader = new RunReader(maxSlices);
        List<RunSummary> runs = new ArrayList<>();
        for (Path run : found.values()) {
            try {
                runs.add(reader.read(run));
            } catch (OutOfMemoryError e) {
                throw new IOException(
                        run + " takes more memory than there is (" + Text.describe(e) + "); move what is no result out"
                                + " of it, or set PERSIST_JAVA_OPTS=-Xmx4g",
                        e);
            }
        }
        return Labels.distinct(runs);
    }

    private void printTable(SummaryTable table, Path file, PrintStream out) throws IOException {
        String text = csv ? table.csv() : table.json();
        if (output != null) {
            write(file, text);
        } else {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** Returns how many bytes it has written. */
    private static long write(Path file, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            ResultFile.write(file, bytes);
        } catch (IOException e) {
            throw new IOException(
                    "cannot write " + file + " (" + FileReason.of(e) + "); name another file with --output", e);
        }
        return bytes.length;
    }
}
