package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.log.LogConfig;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;

/** Some lives of a log, closed, cut and killed, in a library that has been loaded for it. */
public final class JumpedLives implements Callable<String> {

    private final Subject subject;
    private final Random random;
    private final Work work;

    public JumpedLives(String subject, long seed, int steps) {
        this.subject = Subject.named(subject);
        this.random = new Random(seed);
        this.work = new Work(this.subject, new Random(seed), steps);
    }

    /** Returns where the log ends after lives that were closed, which is the same each time. */
    @Override
    public String call() {
        CrashableStorage storage = new CrashableStorage();
        work.run(storage);
        storage = storage.afterKill();
        work.run(storage);
        storage = storage.crash(random, Loss.ALL_LOST);
        work.run(storage);
        String end;
        try (Life life = subject.open(storage)) {
            end = "entries=" + work.entries().last() + ", position=" + life.flushedPosition();
        }
        CrashableStorage killed = kill(storage);
        if (subject.logger() == Subject.Logger.MESSAGE) {
            retireByAge(killed);
        }
        return end;
    }

    /** One life more, to which the end comes at some operation; returns what is left. */
    private CrashableStorage kill(CrashableStorage storage) {
        int last = storage.operations() + 20 + random.nextInt(100);
        storage.cutPowerAt(last);
        try {
            work.run(storage);
        } catch (PowerCut | PersistException cut) {
            assertThat(storage.isOff()).isTrue();
        }
        work.wasKilled();
        CrashableStorage left = storage.afterKill();
        assertThat(work.check(left)).isEqualTo(work.check(left));
        return left;
    }

    /** Only what is retired by age goes by the clock, and takes the oldest segments even then. */
    private void retireByAge(CrashableStorage storage) {
        LogConfig config = subject.config(Path.of("memory"));
        work.entries().mayBeginAt(work.entries().last()); // all that is sealed may be old by this clock
        try (MessageLogger logger = MessageLogger.open(config, storage)) {
            RetentionPlan plan = logger.planRetention(RetentionRule.keepAge(Duration.ofMinutes(1)));
            logger.retire(plan, Retirement.DELETE);
        }
        work.check(storage);
    }
}
