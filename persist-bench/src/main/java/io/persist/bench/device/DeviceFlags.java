package io.persist.bench.device;

import com.beust.jcommander.Parameter;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The flags of {@link DeviceCommand}. */
final class DeviceFlags {

    private static final int MOST_IN_FLIGHT = 1024;

    @Parameter(
            names = "--file",
            order = 1,
            placeholder = "F[,F2...]",
            description = "files to make, measure and delete; several are written at the same time")
    private String file = "persist-device.noise";

    @Parameter(names = "--fileSize", order = 2, placeholder = "BYTES", description = "length of each file")
    private long fileSize = 1L << 30;

    @Parameter(names = "--block", order = 3, placeholder = "BYTES", description = "bytes of each operation")
    private long block = 256 << 10;

    @Parameter(
            names = "--engine",
            order = 4,
            placeholder = "E[,E2...]",
            defaultValueDescription = "channel",
            description = "ways to reach the file; with --all by default each")
    private @Nullable String engine;

    @Parameter(
            names = "--pattern",
            order = 5,
            placeholder = "P[,P2...]",
            defaultValueDescription = "seq",
            description = "seq, rand, append; with --all by default each")
    private @Nullable List<Pattern> pattern;

    @Parameter(
            names = "--op",
            order = 6,
            placeholder = "O[,O2]",
            defaultValueDescription = "write",
            description = "write, read; with --all by default both")
    private @Nullable List<Operation> op;

    @Parameter(
            names = "--syncEvery",
            order = 7,
            placeholder = "N[,N2...]",
            defaultValueDescription = "0",
            description = "sync after every N-th write, 0 for never; with --all by default 0,1")
    private @Nullable List<Integer> syncEvery;

    @Parameter(
            names = "--depth",
            order = 8,
            placeholder = "N",
            description = "operations in flight for each file: aio, libaio, io_uring, io_uring-direct")
    long depth = 4;

    @Parameter(names = "--seconds", order = 9, placeholder = "SECONDS", description = "measured seconds of each cell")
    double seconds = 10;

    @Parameter(names = "--warmup", order = 10, placeholder = "SECONDS", description = "seconds before that")
    double warmup = 1;

    @Parameter(names = "--seed", order = 11, placeholder = "N", description = "of the noise and the random offsets")
    long seed = 1;

    @Parameter(names = "--all", arity = 1, order = 12, description = "the whole matrix, some 15 minutes")
    boolean all = false;

    @Parameter(
            names = "--fio",
            arity = 1,
            order = 13,
            description = "let the program fio do the same in turns; it has to be installed")
    boolean fio = false;

    @Parameter(names = "--csv", order = 14, placeholder = "FILE", description = "write the table as CSV too")
    @Nullable
    Path csv;

    @Parameter(names = "--json", order = 15, placeholder = "FILE", description = "write the table as JSON too")
    @Nullable
    Path json;

    @Parameter(
            names = "--output",
            order = 16,
            placeholder = "DIR",
            description = "directory for bin/persist report; replaces what an earlier call left there")
    @Nullable
    Path output;

    void validate() {
        Checks.range("--block", block, 512, 1 << 30);
        Checks.range("--fileSize", fileSize, block, 1L << 50);
        if (fileSize % block != 0) {
            throw new UsageException("--fileSize " + fileSize + " is no multiple of --block " + block + "; give one, "
                    + fileSize / block * block + " for instance");
        }
        Checks.range("--depth", depth, 1, MOST_IN_FLIGHT);
        Checks.range("--seconds", seconds, 0.01, 86_400);
        Checks.range("--warmup", warmup, 0, 3600);
        files();
        if (csv != null) {
            Checks.file("--csv", csv);
        }
        if (json != null) {
            Checks.file("--json", json);
        }
        if (csv != null && json != null && isSame(csv, json)) {
            throw new UsageException("--csv " + csv + " and --json " + json
                    + " are one file, of which the second table would replace the first; name two");
        }
        if (output != null) {
            Checks.directory("--output", output);
        }
        syncEvery().forEach(every -> Checks.range("--syncEvery", every, 0, 1_000_000_000));
    }

    private static boolean isSame(Path one, Path other) {
        return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
    }

    List<Path> files() {
        return words("--file", file).map(Path::of).toList();
    }

    long fileSize() {
        return fileSize;
    }

    int block() {
        return (int) block;
    }

    /** Whether O_DIRECT can do it everywhere. */
    boolean isAligned() {
        return block % Noise.ALIGNMENT == 0;
    }

    /** Whether the user has said which engines, and wants something of each. */
    boolean namesEngines() {
        return engine != null;
    }

    /** The names of the engines; {@code known} if all are wanted. */
    List<String> engines(List<String> known) {
        if (engine == null) {
            return all ? known : known.subList(0, 1);
        }
        return words("--engine", engine)
                .map(name -> oneOf("--engine", name, known))
                .toList();
    }

    List<Pattern> patterns() {
        if (pattern == null) {
            return all ? List.of(Pattern.values()) : List.of(Pattern.SEQ);
        }
        return pattern;
    }

    List<Operation> operations() {
        if (op == null) {
            return all ? List.of(Operation.values()) : List.of(Operation.WRITE);
        }
        return op;
    }

    List<Integer> syncEvery() {
        if (syncEvery == null) {
            return all ? List.of(0, 1) : List.of(0);
        }
        return syncEvery;
    }

    private static Stream<String> words(String flag, String list) {
        List<String> words = Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new UsageException(flag + " is empty, as by a variable that is unset; name some, or leave it out");
        }
        return words.stream();
    }

    private static String oneOf(String flag, String name, List<String> known) {
        if (!known.contains(name)) {
            throw new UsageException(flag + " " + name + " is none of " + String.join(", ", known) + "; choose one");
        }
        return name;
    }
}
