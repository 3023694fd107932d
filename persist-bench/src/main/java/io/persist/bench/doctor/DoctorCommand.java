package io.persist.bench.doctor;

import com.beust.jcommander.Parameter;
import io.persist.bench.doctor.diagnosis.Examination;
import io.persist.bench.doctor.disk.DiskProbe;
import io.persist.bench.doctor.disk.Scratch;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.SystemFiles;
import io.persist.command.CommandLine;
import io.persist.command.Manual;
import io.persist.command.NamedCommand;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.tool.ExitCode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** {@code doctor DIR}: what a synced commit costs in a directory, and whether to believe it. */
public final class DoctorCommand implements NamedCommand {

    private static final String PREFIX = "persist doctor: ";

    private List<String> directories = List.of();

    @Parameter(names = "--json", description = "print one JSON document")
    private boolean json;

    @Parameter(
            names = {"-h", "--help"},
            help = true,
            description = "print this")
    private boolean help;

    private final SystemFiles files;
    private final DiskProbe.Plan plan;

    /** For this machine. */
    public DoctorCommand() {
        this(SystemFiles.ofThisMachine(), DiskProbe.Plan.NORMAL);
    }

    /**
     * A doctor of something else.
     *
     * @param files where the facts are read
     * @param plan how much is measured
     */
    DoctorCommand(SystemFiles files, DiskProbe.Plan plan) {
        this.files = files;
        this.plan = plan;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "doctor",
                        "DIR",
                        "Measures a disk by its directory DIR, and says what a SYNCED commit of Persist costs there,",
                        "whether it can be believed, and what to choose. It takes some seconds and up to 64 MiB,",
                        "which are deleted in the end; a DIR that is not there is made, and deleted too.")
                .example("the disk that is to hold the log", "/var/lib/orders")
                .exit(ExitCode.OK, "usable")
                .exit(ExitCode.FAILURE, "a SYNCED commit cannot be believed or DIR cannot be measured")
                .exit(ExitCode.USAGE, "wrong use");
    }

    @Override
    public CommandLine commandLine() {
        return CommandLine.withOperands(this);
    }

    @Override
    public int run(String[] args, PrintStream out, PrintStream err) {
        Path directory;
        try {
            CommandLine commandLine = commandLine();
            commandLine.parse(args);
            if (help) {
                manual().print(commandLine, out);
                return ExitCode.OK;
            }
            directories = commandLine.operands();
            directory = directory();
        } catch (UsageException | IllegalArgumentException e) {
            err.println(PREFIX + NamedCommand.usage(e));
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
            String why = Text.describe(e);
            err.println(PREFIX + directory + " cannot be measured: " + why
                    + (why.contains(";") ? "" : "; name another directory"));
            return ExitCode.FAILURE;
        }
    }

    private Path directory() {
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
                throw new IOException("only " + Text.bytes(facts.usableBytes()) + " are free, and it takes "
                        + Text.bytes(DiskProbe.NEEDED_BYTES) + "; make room, or name a directory on another disk");
            }
            try (Progress progress = Progress.on(err)) {
                return Examination.of(facts, DiskProbe.measure(scratch, plan, progress));
            }
        }
    }
}
