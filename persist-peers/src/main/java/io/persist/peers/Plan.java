package io.persist.peers;

import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All trials in their order: mode by mode, each round of a mode with all engines in turn, beginning with another engine
 * each time.
 *
 * @param trials that will be run
 * @param leftOut engines that have no part in a mode
 * @param missing engines that cannot run here at all
 */
record Plan(List<Trial> trials, List<LeftOut> leftOut, List<Missing> missing) {

    /** An engine that a mode is not for. */
    record LeftOut(Mode mode, String engine, String reason) {}

    /** An engine that cannot run here. */
    record Missing(String engine, String reason) {}

    private static final long FAST_RATE = 500_000;
    private static final int LISTENED_PART = 10;

    private static final long MAX_COUNTED_MESSAGES = 500_000;

    /** More than devices do: engines that lay out their files ahead need not do so for more. */
    private static final long MAX_COMMITS_PER_SECOND = 100_000;

    /** What engines add to a message at most, as far as the space for it is to be there. */
    private static final int OVERHEAD = 64;

    /** Of messages, in a log of the warm-up. */
    private static final long WARM_UP_BYTES = 512L << 20;

    private static final long LAID_OUT_AHEAD = 512L << 20;

    /** @param usableBytes that are free where the logs will be */
    static Plan of(PeersParameters flags, long usableBytes) {
        List<Missing> missing = new ArrayList<>();
        List<EngineKind> present = new ArrayList<>();
        for (EngineKind kind : flags.engines()) {
            Optional<String> reason = kind.missing().get();
            reason.ifPresentOrElse(each -> missing.add(new Missing(kind.id(), each)), () -> present.add(kind));
        }
        List<Trial> trials = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (Mode mode : flags.modes()) {
            List<EngineKind> taking = new ArrayList<>();
            for (EngineKind kind : present) {
                Optional<String> reason = mode.excludes(kind);
                reason.ifPresentOrElse(each -> leftOut.add(new LeftOut(mode, kind.id(), each)), () -> taking.add(kind));
            }
            for (int round = 1; round <= flags.rounds(); round++) {
                for (int i = 0; i < taking.size(); i++) {
                    EngineKind kind = taking.get((i + round - 1) % taking.size());
                    trials.add(
                            mode == Mode.SUSTAINED
                                    ? sustained(flags, SustainedLimits.of(flags, usableBytes), kind, round)
                                    : trial(flags, mode, kind, round));
                }
            }
        }
        trials.forEach(trial -> requireTime(flags, trial));
        return new Plan(trials, leftOut, missing);
    }

    /** Refuses what would always be killed. */
    private static void requireTime(PeersParameters flags, Trial trial) {
        double least = switch (trial.mode().work()) {
            case SUSTAINED -> trial.seconds();
            case PACED, LISTENED -> trial.messages() / (double) trial.rate();
            default -> 0;
        };
        long timeout = flags.timeout(trial.mode()).toSeconds();
        if (timeout <= least) {
            throw new UsageException("--timeout " + timeout + " kills each trial of "
                    + trial.mode().id() + ", which takes " + Text.decimal(least) + " s at least; give more");
        }
    }

    private static Trial trial(PeersParameters flags, Mode mode, EngineKind kind, int round) {
        long rate = switch (mode) {
            case OPEN_LOOP_500K, OPEN_LOOP_500K_PREPARED -> FAST_RATE;
            case LISTEN_THREAD, LISTEN_PROCESS -> flags.rate() / LISTENED_PART;
            default -> flags.rate();
        };
        double seconds = flags.seconds(mode);
        long reopened = (flags.reopenMib() << 20) / flags.size();
        long most = switch (mode.work()) {
            case SUSTAINED, UNPACED, READ -> flags.messages();
            case PACED, LISTENED -> Math.min(flags.messages(), (long) (rate * seconds));
            case SYNCED -> Math.min(flags.messages(), (long) (MAX_COMMITS_PER_SECOND * seconds) * mode.batch());
            case OPENED -> reopened;
            case COUNTED -> Math.min(flags.messages(), MAX_COUNTED_MESSAGES);
        };
        return new Trial(
                kind.id(),
                mode,
                round,
                0,
                Math.max(mode.batch(), most - most % mode.batch()),
                seconds,
                flags.warmup(),
                warmupMessages(flags, mode),
                flags.size(),
                rate,
                "");
    }

    /** Of one log: both loops have a group in it at least. */
    private static long warmupMessages(PeersParameters flags, Mode mode) {
        long most = Math.min(flags.messages(), WARM_UP_BYTES / flags.size());
        if (mode.work() == Mode.Work.SYNCED) {
            most = Math.min(most, (long) (MAX_COMMITS_PER_SECOND * flags.warmup()) * mode.batch());
        }
        return Math.max(2L * mode.batch(), most);
    }

    private static Trial sustained(PeersParameters flags, SustainedLimits limits, EngineKind kind, int round) {
        return new Trial(
                kind.id(),
                Mode.SUSTAINED,
                round,
                Math.max(1, limits.leastBytes() / flags.size()),
                Math.max(1, limits.mostBytes() / flags.size()),
                limits.leastSeconds(),
                flags.warmup(),
                warmupMessages(flags, Mode.SUSTAINED),
                flags.size(),
                flags.rate(),
                "");
    }

    /** One more trial for each engine that has a part in a mode, for its profile. */
    List<Trial> profiled(Mode mode) {
        return trials.stream()
                .filter(each -> each.mode() == mode && each.round() == 1)
                .map(Trial::profiled)
                .toList();
    }

    /**
     * Bytes that the largest trial may need on the device: two logs, and what is laid out ahead. A sustained one takes
     * no more than there is.
     */
    long neededBytes() {
        return trials.stream()
                .filter(each -> each.mode() != Mode.SUSTAINED)
                .mapToLong(
                        each -> 2 * Math.max(each.messages(), each.warmupMessages()) * (each.messageLength() + OVERHEAD)
                                + LAID_OUT_AHEAD)
                .max()
                .orElse(0);
    }

    /** The engines that have a part in a mode, in the order of tables. */
    List<String> engines(Mode mode) {
        return trials.stream()
                .filter(each -> each.mode() == mode && each.round() == 1)
                .map(Trial::engine)
                .toList();
    }

    /** What an engine does in a mode, in its first round. */
    Trial trial(Mode mode, String engine) {
        return trials.stream()
                .filter(each -> each.mode() == mode
                        && each.round() == 1
                        && each.engine().equals(engine))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no trial: " + mode.id() + ", " + engine));
    }

    List<LeftOut> leftOut(Mode mode) {
        return leftOut.stream().filter(each -> each.mode() == mode).toList();
    }
}
