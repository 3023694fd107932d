package io.persist.detached;

import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What the seed of a model's run decides beforehand: the configurations, and what goes wrong when. */
final class ModelScenario implements CrashableStorage.Hook {

    static final int CONTROL_LENGTH = 4096;

    /** What a storage operation throws, if one does. */
    enum Fault {
        NONE,
        IO_EXCEPTION,
        RUNTIME_EXCEPTION,
        ERROR
    }

    /** An error that no handler can mistake for one of the test's. */
    static final class InjectedError extends Error {
        private static final long serialVersionUID = 1L;

        InjectedError() {
            super("injected");
        }
    }

    final int producers;
    final int steps;
    final boolean fillsTheDisk;
    final boolean mendsTheDisk;
    final boolean closesEarly;
    final boolean blocksWhenFull;
    final Fault fault;
    final long capacityBytes;
    final LogConfig logConfig;
    final TailerConfig tailerConfig =
            TailerConfig.builder().readMode(ReadMode.FILE).build();
    final DetachedConfig detachedConfig;

    private final long seed;
    private final int slowness;
    private final int faultAt;
    private final AtomicInteger operations = new AtomicInteger();
    private volatile boolean armed;
    private volatile boolean faulted;

    ModelScenario(long seed) {
        Random random = new Random(seed);
        this.seed = seed;
        producers = 1 + random.nextInt(4);
        steps = 5 + random.nextInt(30);
        fillsTheDisk = random.nextInt(5) == 0;
        mendsTheDisk = random.nextInt(3) > 0;
        closesEarly = random.nextInt(3) == 0;
        fault = random.nextInt(4) == 0 ? Fault.values()[1 + random.nextInt(3)] : Fault.NONE;
        faultAt = 1 + random.nextInt(40);
        slowness = random.nextInt(4);
        int segmentLength = 4096 << random.nextInt(2);
        capacityBytes = fillsTheDisk ? CONTROL_LENGTH + (2L + random.nextInt(4)) * segmentLength : 1L << 40;
        logConfig = LogConfig.builder(Path.of("memory"))
                .segmentLength(segmentLength)
                .writeMode(WriteMode.values()[random.nextInt(2)])
                .writeBufferLength(64 << random.nextInt(5))
                .syncInterval(Duration.ofMillis(random.nextInt(5) == 0 ? 1 : 0))
                .syncIntervalBytes(random.nextInt(5) == 0 ? 1000 : 0)
                .build();
        WaitStrategy[] strategies = WaitStrategy.values();
        DetachedConfig.Builder detached = DetachedConfig.builder()
                .queueDepth(1 << random.nextInt(5))
                .queueBytes(4096L << random.nextInt(4))
                .waitStrategy(random.nextBoolean() ? WaitStrategy.BLOCKING : strategies[random.nextInt(4)]);
        int policy = random.nextInt(4);
        blocksWhenFull = policy > 1;
        if (policy == 0) {
            detached.failWhenFull();
        } else if (policy == 1) {
            detached.waitWhenFull(Duration.ofNanos(random.nextInt(2_000_000)));
        }
        detachedConfig = detached.build();
    }

    /** From now on operations are slow and fail. */
    void arm() {
        armed = true;
    }

    void disarm() {
        armed = false;
    }

    /** Whether an operation has failed. */
    boolean hasFaulted() {
        return faulted;
    }

    @Override
    public void beforeOperation(int number, String what) throws IOException {
        if (!armed) {
            return;
        }
        int operation = operations.incrementAndGet();
        if (fault != Fault.NONE && operation == faultAt) {
            faulted = true;
            fail(operation + ": " + what);
        }
        Random random = new Random(seed + operation);
        if (random.nextInt(4) < slowness) {
            boolean syncs = what.startsWith("force") || what.startsWith("sync ");
            if (syncs && random.nextBoolean()) {
                LockSupport.parkNanos(random.nextInt(300_000));
            } else {
                Thread.yield();
            }
        }
    }

    private void fail(String operation) throws IOException {
        switch (fault) {
            case NONE -> {}
            case IO_EXCEPTION -> throw new IOException("injected at operation " + operation);
            case RUNTIME_EXCEPTION -> throw new IllegalArgumentException("injected at operation " + operation);
            case ERROR -> throw new InjectedError();
        }
    }
}
