package io.persist.bench.doctor;

import com.beust.jcommander.Parameter;
import io.persist.bench.doctor.diagnosis.Examination;
import io.persist.bench.doctor.disk.DiskProbe;
import io.persist.bench.doctor.disk.Scratch;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.SystemFiles;
import io.persist.command.Manual;
import io.persist.command.Program;
import io.persist.command.Text;
import io.persist.command.UsageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** {@code doctor DIR}: what a synced commit costs in a directory, and whether to believe it. */
public final class DoctorCommand extends Program {

    @Parameter(names = "--json", description = "print one JSON document")
    private boolean json;

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
                .exit(OK, "usable")
                .exit(FAILED, "a SYNCED commit cannot be believed or DIR cannot be measured")
                .exit(USAGE, "wrong use");
    }

    @Override
    protected int work(Call call) throws IOException {
        Path directory = directory(call.operands());
        try {
            Examination examination = examine(directory, call.err());
            if (json) {
                JsonReport.print(examination, call.out());
            } else {
                TextReport.print(examination, call.out());
            }
            return examination.diagnosis().isUsable() ? OK : FAILED;
        } catch (InterruptedIOException e) {
            return FAILED; // whoever ended the program knows
        } catch (IOException e) {
            String why = Text.describe(e);
            throw new IOException(
                    directory + " cannot be measured: " + why + (why.contains(";") ? "" : "; name another directory"),
                    e);
        }
    }

    private static Path directory(List<String> operands) {
        if (operands.size() != 1) {
            throw new UsageException(
                    operands.isEmpty()
                            ? "no DIR is given; name the directory that a log is to be kept in"
                            : "doctor looks at one DIR at a time, given=" + operands.size());
        }
        return Path.of(operands.get(0));
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
