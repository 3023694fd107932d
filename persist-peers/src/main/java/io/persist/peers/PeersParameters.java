package io.persist.peers;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.bench.flags.ComparisonPaths;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.trial.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The flags of {@link ComparePeers}. Those that {@code --quick} changes are null until they are given. */
final class PeersParameters {

    private static final int MIN_SIZE = 16;
    private static final int MAX_SIZE = 1 << 20;

    /**
     * Times as long as others: logs that are read or reopened, open loops that are to come to new segments, and readers
     * that listen: two threads that spin leave the JIT compiler little of two CPUs.
     */
    private static final int LONGER = 10;

    /** Times as long as others: passes as fast as they go. */
    private static final int UNPACED = 2;

    private static final long TIMEOUT = 300;

    /** For much that is written, or laid out ahead. */
    private static final long LONG_TIMEOUT = 900;

    /** More than any trial has. */
    private static final int PASSES = 3;

    /** For a JVM to start, to prepare space, and to close logs. */
    private static final long OVERHEAD_SECONDS = 60;

    @Parameter(
            names = "--engines",
            order = 1,
            placeholder = "LIST",
            defaultValueDescription = "all",
            description = "which ones, parted by commas")
    private @Nullable List<String> engines;

    @Parameter(
            names = "--modes",
            order = 2,
            placeholder = "LIST",
            defaultValueDescription = "all but sustained",
            description = "what to compare, parted by commas")
    private @Nullable List<String> modes;

    @Parameter(
            names = "--rounds",
            order = 3,
            placeholder = "N",
            defaultValueDescription = "3",
            description = "how often each engine has its turn in each mode; tables show medians")
    private @Nullable Long rounds;

    @Parameter(
            names = "--seconds",
            order = 4,
            placeholder = "SECONDS",
            defaultValueDescription = "0.5",
            description =
                    "how long a pass of a trial appends at most; twice that as fast as it goes, whatever --messages"
                            + " says; ten times that for open loops in space that is not prepared, for readers that"
                            + " listen, and for the logs that are read or reopened")
    private @Nullable Double seconds;

    @Parameter(
            names = "--messages",
            order = 5,
            placeholder = "N",
            defaultValueDescription = "2000000",
            description =
                    "how many a log has at most; a pass as fast as it goes then goes on in a new one, the others end")
    private @Nullable Long messages;

    @Parameter(
            names = "--warmup",
            order = 6,
            placeholder = "SECONDS",
            defaultValueDescription = "2",
            description = "how long each trial does the same before, without counting it, in new logs of 512 MiB or"
                    + " --messages at most; 0 for not at all")
    private @Nullable Double warmup;

    @Parameter(names = "--size", order = 7, placeholder = "BYTES", description = "length of each message")
    private long size = 256;

    @Parameter(
            names = "--rate",
            order = 8,
            placeholder = "N",
            description =
                    "appends per second in the modes open-loop and open-loop-prepared; a tenth of it where a reader"
                            + " listens, and always 500000 in open-loop-500k and open-loop-500k-prepared")
    private long rate = 100_000;

    @Parameter(
            names = "--reopen-mib",
            order = 9,
            placeholder = "MIB",
            defaultValueDescription = "1024",
            description = "messages in the logs that are reopened, MiB; fewer if their time is over")
    private @Nullable Long reopenMib;

    @Parameter(
            names = "--sustained-gb",
            order = 10,
            placeholder = "GB",
            defaultValueDescription = "5",
            description = "messages that a sustained load appends at least, 10^9 bytes; their rate is told apart")
    private @Nullable Double sustainedGb;

    @Parameter(
            names = "--sustained-seconds",
            order = 11,
            placeholder = "SECONDS",
            defaultValueDescription = "20",
            description = "how long a sustained load goes on at least")
    private @Nullable Double sustainedSeconds;

    @Parameter(
            names = "--sustained-max-gb",
            order = 12,
            placeholder = "GB",
            description = "messages after which a sustained load ends in any case; less where the disk has less")
    private double sustainedMaxGb = 40;

    @Parameter(
            names = "--quick",
            arity = 1,
            order = 13,
            description = "for trying: one round of 0.2 s and as much of a warm-up, 64 MiB to reopen, and 0.5 GB and"
                    + " 2 s of a sustained load, if not given")
    private boolean quick = false;

    @Parameter(
            names = "--heap",
            order = 14,
            placeholder = "SIZE",
            description = "largest heap of each trial's JVM, as -Xmx takes it")
    private String heap = "4g";

    @Parameter(
            names = "--timeout",
            order = 15,
            placeholder = "SECONDS",
            defaultValueDescription = "300 or more",
            description = "after which a trial is killed, and counts as failed; by default 900 if it is sustained or as"
                    + " fast as it goes, and more if passes are long")
    private @Nullable Long timeout;

    @Parameter(
            names = "--profile",
            order = 16,
            placeholder = "DIR",
            description = "run each engine once more in each mode, under async-profiler: print where the time goes, and"
                    + " leave flame graphs there")
    private @Nullable Path profile;

    @ParametersDelegate
    private final ComparisonPaths paths = new ComparisonPaths();

    void validate() {
        engines();
        modes();
        Checks.range("--rounds", rounds(), 1, 1000);
        Checks.range("--seconds", seconds(), 0.01, 3600);
        Checks.range("--messages", messages(), 100, 1e9);
        Checks.range("--warmup", warmup(), 0, 3600);
        Checks.range("--size", size, MIN_SIZE, MAX_SIZE);
        Checks.range("--rate", rate, 10, 100_000_000);
        Checks.range("--reopen-mib", reopenMib(), 1, 1 << 20);
        Checks.range("--sustained-gb", sustainedGb(), 0.0001, 10_000);
        Checks.range("--sustained-seconds", sustainedSeconds(), 0, 3600);
        Checks.range("--sustained-max-gb", sustainedMaxGb, 0.0001, 10_000);
        if (sustainedMaxGb < sustainedGb()) {
            throw new UsageException("--sustained-max-gb " + sustainedMaxGb + " is less than --sustained-gb "
                    + sustainedGb() + "; give no less");
        }
        if (timeout != null) {
            Checks.range("--timeout", timeout, 1, 86_400);
        }
        Checks.heap("--heap", heap);
    }

    /** In the order of {@link Engines}, so that tables look the same. */
    List<EngineKind> engines() {
        return chosen("--engines", engines, Engines.all(), EngineKind::id, Engines::byId);
    }

    List<Mode> modes() {
        List<Mode> all = Arrays.asList(Mode.values());
        return modes == null
                ? all.stream().filter(mode -> mode != Mode.SUSTAINED).toList()
                : chosen("--modes", modes, all, Mode::id, Mode::byId);
    }

    private static <T> List<T> chosen(
            String flag,
            @Nullable List<String> ids,
            List<T> all,
            Function<T, String> idOf,
            Function<String, Optional<T>> byId) {
        if (ids == null || ids.equals(List.of("all"))) {
            return all;
        }
        if (ids.stream().allMatch(String::isBlank)) { // all of them would take hours
            throw new UsageException(flag + " is empty, as by a variable that is unset; name some, or leave it out");
        }
        for (String id : ids) {
            if (byId.apply(id).isEmpty()) {
                throw new UsageException(flag + " " + id + " is none of "
                        + String.join(", ", all.stream().map(idOf).toList()) + "; choose some of them");
            }
        }
        return all.stream().filter(each -> ids.contains(idOf.apply(each))).toList();
    }

    int rounds() {
        return rounds != null ? rounds.intValue() : quick ? 1 : 3;
    }

    double seconds() {
        return seconds != null ? seconds : quick ? 0.2 : 0.5;
    }

    /** How long a pass of a trial in this mode appends at most, or at least where a load is sustained. */
    double seconds(Mode mode) {
        return switch (mode.work()) {
            case SUSTAINED -> sustainedSeconds();
            case UNPACED -> UNPACED * seconds();
            case OPENED, READ, LISTENED -> LONGER * seconds();
            case PACED -> mode.space() == Space.UNPREPARED ? LONGER * seconds() : seconds();
            default -> seconds();
        };
    }

    double warmup() {
        return warmup != null ? warmup : quick ? 0.2 : 2;
    }

    long messages() {
        return messages != null ? messages : 2_000_000;
    }

    int size() {
        return (int) size;
    }

    long rate() {
        return rate;
    }

    long reopenMib() {
        return reopenMib != null ? reopenMib : quick ? 64 : 1024;
    }

    String heap() {
        return heap;
    }

    /** Of the messages alone, 10^9 bytes. */
    double sustainedGb() {
        return sustainedGb != null ? sustainedGb : quick ? 0.5 : 5;
    }

    double sustainedSeconds() {
        return sustainedSeconds != null ? sustainedSeconds : quick ? 2 : 20;
    }

    double sustainedMaxGb() {
        return sustainedMaxGb;
    }

    /** After which a trial is killed: if that is not given, later than it can take for as long as it is to append. */
    Duration timeout(Mode mode) {
        if (timeout != null) {
            return Duration.ofSeconds(timeout);
        }
        boolean isLong = mode.work() == Mode.Work.SUSTAINED || mode.work() == Mode.Work.UNPACED;
        long least = isLong ? LONG_TIMEOUT : TIMEOUT;
        return Duration.ofSeconds(Math.max(least, (long) (PASSES * (warmup() + seconds(mode))) + OVERHEAD_SECONDS));
    }

    ComparisonPaths paths() {
        return paths;
    }

    /** Where to leave flame graphs; null if nothing is profiled. */
    @Nullable
    Path profile() {
        return profile;
    }
}
