package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.LogMonitor;
import io.persist.bench.Program.Kind;
import io.persist.bench.Recorded.Call;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flags about the log's files: what each does to them, and to the system calls, in each program. */
class FileFlagsTest {

    private static final int SEGMENT_LENGTH = 1 << 20;

    /** More than a record of the example message takes with its frame. */
    private static final int RECORD_LENGTH = 300;

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int O_DSYNC = 0x1000;
    private static final int O_SYNC = 0x101000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--writeBufferSize")
    void shouldWriteABufferAtOnce(Kind kind) throws IOException {
        Recorded recorded = Recorded.during(directory, () -> {
            write(kind, "small", "-c", "200", "--writeMode", "file", "-a", "1024");
            write(kind, "default", "-c", "200", "--writeMode", "file");
        });

        // What fits is gathered, and no record is split.
        assertThat(longest(kind, recorded.writes(), "small")).isBetween(1024L - RECORD_LENGTH, 1024L);
        assertThat(longest(kind, recorded.writes(), "default")).isBetween(8192L - RECORD_LENGTH, 8192L);
    }

    private long longest(Kind kind, List<Call> calls, String logs) {
        return bytes(kind, calls, logs).max(Long::compare).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--flushOnCommit", "--writeMode"})
    void shouldWriteWithEachCommitOnlyIfWanted(Kind kind) throws IOException {
        Recorded recorded = Recorded.during(directory, () -> {
            write(kind, "flushed", "-c", "40", "-n", "5", "--writeMode", "file", "-f");
            write(kind, "buffered", "-c", "40", "-n", "5", "--writeMode", "file", "-f", "false");
            write(kind, "mapped", "-c", "40", "-n", "5", "-f");
        });

        assertThat(bytes(kind, recorded.writes(), "flushed")).hasSize(8);
        assertThat(bytes(kind, recorded.writes(), "buffered")).hasSizeBetween(1, 2);
        assertThat(bytes(kind, recorded.writes(), "mapped")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--readBufferSize", "--readMode", "--readUsingMappedMemory"})
    void shouldReadABufferAtOnceOrNoneAtAll(Kind kind) throws IOException {
        String flag = kind == Kind.PACKET ? "-e false" : "--readMode file";
        Recorded recorded = Recorded.during(directory, () -> {
            write(kind, "small", ("-c 100 -b 1000 " + flag).split(" "));
            write(kind, "default", ("-c 100 " + flag).split(" "));
            write(kind, "mapped", "-c", "100");
        });

        assertThat(bytes(kind, recorded.reads(), "small")).contains(1000L).doesNotContain(8192L);
        assertThat(bytes(kind, recorded.reads(), "default")).contains(8192L);
        assertThat(bytes(kind, recorded.reads(), "mapped")).doesNotContain(8192L);
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--zeroOutInitial", "--initialLogLength"})
    void shouldHaveZerosInTheWholeInitialLengthBeforeItStarts(Kind kind) throws IOException {
        Path logs = kind.log(directory.resolve("logs"));
        List<Path> before = new ArrayList<>();
        Recorded recorded = Recorded.during(
                directory,
                () -> kind.watched(
                        directory,
                        line -> before.addAll(line.startsWith("Opened ") ? segments(logs) : List.of()),
                        "-c",
                        "1",
                        "-i",
                        "0.02", // 20.48 segments
                        "-z"));

        assertThat(before).hasSize(21).allSatisfy(segment -> assertThat(segment).hasSize(SEGMENT_LENGTH));
        // The thread that opens the log has written them, block by block: the files have no holes behind their headers.
        Map<String, Long> zeros = recorded.zeros().stream()
                .filter(call -> call.isOfSegment(logs)
                        && call.thread().equals(Thread.currentThread().getName()))
                .collect(Collectors.groupingBy(
                        call -> call.file().getFileName().toString(), Collectors.summingLong(Call::bytes)));
        assertThat(zeros)
                .hasSize(21)
                .allSatisfy((name, bytes) ->
                        assertThat(bytes).isGreaterThanOrEqualTo(SEGMENT_LENGTH - SegmentHeader.LENGTH));
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--initialLogLength", "--segmentSize"})
    void shouldFillTheInitialLengthMeanwhile(Kind kind) {
        assertThat(segmentsOfRun(kind, "some", 11, "-i", "0.01"))
                .hasSize(11)
                .allSatisfy(segment -> assertThat(segment).hasSize(SEGMENT_LENGTH));
        // There are always two ahead of the first one.
        assertThat(segmentsOfRun(kind, "few", 3, "-i", "0", "--segmentSize", "2"))
                .hasSize(3)
                .allSatisfy(segment -> assertThat(segment).hasSize(2 * SEGMENT_LENGTH));
    }

    /** What a run leaves that waits, once the log is open, until there are {@code least} segments. */
    private List<Path> segmentsOfRun(Kind kind, String name, int least, String... flags) {
        Path logs = directory.resolve(name);
        Consumer<String> waiting = line -> {
            if (line.startsWith("Opened ")) {
                Program.await(
                        least + " segments", () -> segments(kind.log(logs)).size() >= least);
            }
        };
        List<String> args = new ArrayList<>(List.of("-c", "1", kind.logLocation, logs.toString()));
        args.addAll(List.of(flags));
        kind.watched(directory, waiting, args.toArray(new String[0]));
        return segments(kind.log(logs));
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--logMode")
    void shouldOpenTheFilesAsTheLogModeSays(Kind kind) {
        assumeTrue(Files.isDirectory(DESCRIPTORS));

        assertThat(openFlags(kind, "rw")).allMatch(flags -> (flags & O_SYNC) == 0);
        assertThat(openFlags(kind, "rwd")).anyMatch(flags -> (flags & O_SYNC) == O_DSYNC);
        assertThat(openFlags(kind, "rws")).anyMatch(flags -> (flags & O_SYNC) == O_SYNC);
    }

    /** The flags of the descriptors of segments that a program has after it has written. */
    private List<Integer> openFlags(Kind kind, String logMode) {
        Path logs = directory.resolve(logMode);
        List<Integer> flags = new ArrayList<>();
        Program program = kind.watched(
                directory,
                line -> flags.addAll(line.startsWith("Wrote ") ? openFlags(kind.log(logs)) : List.of()),
                "-c",
                "10",
                "-f",
                "--writeMode",
                "file",
                "--logMode",
                logMode,
                kind.logLocation,
                logs.toString());
        assertThat(flags).as("%s", program).isNotEmpty();
        return flags;
    }

    /** Of the open descriptors of the segments in {@code logs}. */
    private static List<Integer> openFlags(Path logs) {
        List<Integer> flags = new ArrayList<>();
        for (Path descriptor : list(DESCRIPTORS)) {
            try {
                Path file = Files.readSymbolicLink(descriptor);
                if (file.endsWith(Call.lastNames(logs).resolve(file.getFileName())) && isSegment(file)) {
                    Path info = DESCRIPTORS.resolveSibling("fdinfo").resolve(descriptor.getFileName());
                    Files.readAllLines(info).stream()
                            .filter(line -> line.startsWith("flags:"))
                            .forEach(line -> flags.add(Integer.parseInt(
                                    line.substring("flags:".length()).strip(), 8)));
                }
            } catch (IOException e) {
                // Closed meanwhile, as the one that has listed them, or the one by which the segment was filled.
            }
        }
        return flags;
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--syncInterval")
    void shouldSyncInTheBackgroundOnlyIfWanted(Kind kind) {
        Path logs = kind.log(directory.resolve("logs"));
        Consumer<String> waiting = line -> {
            if (line.startsWith("Wrote ")) {
                LogMonitor monitor = LogMonitor.open(logs);
                Program.await("a sync", () -> monitor.read().unsyncedBytes() == 0);
            }
        };

        assertThat(kind.watched(directory, waiting, "-c", "10", "--syncInterval", "1")
                        .code())
                .isZero();
    }

    /** Runs a program on a log of its own. */
    private void write(Kind kind, String logs, String... flags) {
        List<String> args = new ArrayList<>(List.of(flags));
        args.addAll(List.of(kind.logLocation, directory.resolve(logs).toString()));
        Program program = kind.small(directory, args.toArray(new String[0]));
        assertThat(program.err()).isEmpty();
        assertThat(program.code()).isZero();
    }

    /** The lengths of those calls that were to segments of a log, but for the zeros in them. */
    private Stream<Long> bytes(Kind kind, List<Call> calls, String logs) {
        return calls.stream()
                .filter(call -> call.isOfSegment(kind.log(directory.resolve(logs))))
                .map(Call::bytes);
    }

    private static List<Path> segments(Path logs) {
        return list(logs).stream().filter(FileFlagsTest::isSegment).toList();
    }

    private static boolean isSegment(Path file) {
        return file.toString().endsWith(".log");
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
