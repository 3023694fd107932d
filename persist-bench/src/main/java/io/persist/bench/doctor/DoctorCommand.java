package io.persist.bench.doctor;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterException;
import io.persist.tool.ExitCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code doctor DIR}: what a synced commit costs in a directory, and whether to believe it. */
public final class DoctorCommand {

    private static final String DIR = "DIR";
    private static final String PREFIX = "persist doctor: ";

    @Parameter(description = DIR)
    private List<String> directories = new ArrayList<>();

    @Parameter(names = "--json", description = "print one JSON document")
    private boolean json;

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

    private final SystemFiles files;
    private final DiskProbe.Plan plan;

    private DoctorCommand(SystemFiles files, DiskProbe.Plan plan) {
        this.files = files;
        this.plan = plan;
    }

    /** Runs the program; see {@code Command#run}. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        return run(args, out, err, SystemFiles.ofThisMachine(), DiskProbe.Plan.NORMAL);
    }

    /**
     * The same.
     *
     * @param files where the facts are read
     * @param plan how much is measured
     */
    static int run(String[] args, PrintStream out, PrintStream err, SystemFiles files, DiskProbe.Plan plan) {
        return new DoctorCommand(files, plan).start(args, out, err);
    }

    private int start(String[] args, PrintStream out, PrintStream err) {
        JCommander commander = JCommander.newBuilder()
                .programName("bin/persist doctor")
                .addObject(this)
                .build();
        Path directory;
        try {
            commander.parse(args);
            if (help) {
                printHelp(commander, out);
                return ExitCode.OK;
            }
            directory = directory();
        } catch (ParameterException | IllegalArgumentException e) {
            err.println(PREFIX + String.valueOf(e.getMessage()).replace('\n', ' ') + "; see --help");
            return ExitCode.USAGE;
        }
        try {
            Examination examination = examine(directory, err);
            if (json) {
                JsonReport.print(examination, out);
            } else {
                TextReport.print(examination, out);
            }
            return examination.diagnosis().isUsable() ? ExitCode.OK : ExitCode.FAILURE;
        } catch (InterruptedIOException e) {
            return ExitCode.FAILURE; // whoever ended the program knows
        } catch (IOException e) {
            err.println(PREFIX + directory + " cannot be measured: " + describe(e));
            return ExitCode.FAILURE;
        }
    }

    private Path directory() {
        for (String each : directories) {
            if (each.startsWith("-")) {
                throw new IllegalArgumentException("unknown flag " + each);
            }
        }
        if (directories.size() != 1) {
            throw new IllegalArgumentException(
                    directories.isEmpty()
                            ? "no DIR is given; name the directory that a log is to be kept in"
                            : "doctor looks at one DIR at a time, given=" + directories.size());
        }
        try {
            return Path.of(directories.get(0));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a directory: " + e.getMessage(), e);
        }
    }

    private Examination examine(Path directory, PrintStream err) throws IOException {
        try (Scratch scratch = Scratch.in(directory)) {
            Facts facts = Facts.read(files, directory);
            if (facts.usableBytes() < DiskProbe.NEEDED_BYTES) {
                throw new IOException("only " + Figures.bytes(facts.usableBytes()) + " are free, and it takes "
                        + Figures.bytes(DiskProbe.NEEDED_BYTES) + "; make room, or name a directory on another disk");
            }
            try (Progress progress = Progress.on(err)) {
                return Examination.of(facts, DiskProbe.measure(scratch, plan, progress));
            }
        }
    }

    private static void printHelp(JCommander commander, PrintStream out) {
        out.println("Measures a disk by its directory DIR, and says what a SYNCED commit of Persist costs there,");
        out.println(
                "whether it can be believed, and what to choose. It takes some seconds and up to 64 MiB, which are");
        out.println("deleted in the end; a DIR that is not there is made, and deleted too.");
        out.println();
        StringBuilder text = new StringBuilder();
        commander.getUsageFormatter().usage(text);
        out.print(text);
        out.println();
        out.println(
                "Exit code: 0 usable, 1 a SYNCED commit cannot be believed or DIR cannot be measured, 2 wrong use.");
    }

    /** In one line. The message of many file exceptions is but the file's name. */
    static String describe(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof FileSystemException e && e.getReason() == null) {
            String kind = e.getClass().getSimpleName().replace("Exception", "");
            message = kind.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT) + ": " + e.getFile();
        }
        return message.replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
