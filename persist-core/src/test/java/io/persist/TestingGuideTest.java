package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.read.Tailer;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashFailure;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import io.persist.testkit.PowerCut;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code that docs/testing.md shows, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(60)
class TestingGuideTest {

    // snippet: testing-account
    /** What is to be tested: deposits as messages, and the account that they make. */
    static class Account {
        long number; // of the last deposit
        long balance;

        static void deposit(long number, long amount, MessageLogger logger) {
            ByteBuffer message = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            logger.append(message.putLong(number).putLong(amount).flip());
            logger.commit(Durability.SYNCED);
        }

        Account replay(MessageLogger logger) {
            try (Tailer tailer = logger.tailer()) {
                while (tailer.poll((position, sequence, deposit) -> apply(deposit), 100) > 0) {}
            }
            return this;
        }

        void apply(ByteBuffer deposit) {
            long next = deposit.getLong();
            if (next > number) { // one that was sent again counts once
                number = next;
                balance += deposit.getLong();
            }
        }
    }
    // end

    // snippet: testing-script
    static class AccountScript implements CrashScript {
        final LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(4096)
                .initialLength(3 * 4096)
                .prefill(Prefill.BEFORE_OPEN) // so that no other thread makes segments
                .build();
        long acknowledged; // what the client knows; it sends the next one, perhaps again

        @Override
        public void run(Storage storage) {
            try (MessageLogger logger = MessageLogger.open(config, storage)) {
                for (int i = 0; i < 10; i++) {
                    Account.deposit(acknowledged + 1, 100, logger);
                    acknowledged++;
                }
            }
        }

        @Override
        public Object check(Storage storage) {
            try (MessageLogger logger = MessageLogger.open(config, storage)) {
                Account account = new Account().replay(logger);
                assertThat(account.number).as("deposits").isBetween(acknowledged, acknowledged + 1);
                assertThat(account.balance).as("balance").isEqualTo(100 * account.number);
                return account.number;
            }
        }
    }
    // end

    @BeforeEach
    void needNoGivenPoint() {
        assumeThat(System.getProperty("crash")).isNull();
    }

    @Test
    void shouldSurviveWhatever() {
        // snippet: testing-explore
        Exploration tried = CrashExplorer.of(AccountScript::new).explore();
        assertThat(tried.unreached()).isZero(); // each operation has had its turn
        // end
    }

    /** Acknowledges a deposit that is not synced. */
    private static final class CarelessScript extends AccountScript {

        @Override
        public void run(Storage storage) {
            try (MessageLogger logger = MessageLogger.open(config, storage)) {
                for (int i = 0; i < 10; i++) {
                    ByteBuffer message = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
                    logger.append(message.putLong(acknowledged + 1).putLong(100).flip());
                    logger.commit(Durability.FLUSHED);
                    acknowledged++;
                }
            }
        }
    }

    @Test
    void shouldFindALostDeposit() {
        assertThatExceptionOfType(CrashFailure.class)
                .isThrownBy(() -> CrashExplorer.of(CarelessScript::new).explore())
                .withMessageContaining("[deposits]");
    }

    /** Counts a deposit twice that was sent twice. */
    private static final class TwiceScript extends AccountScript {

        @Override
        public Object check(Storage storage) {
            try (MessageLogger logger = MessageLogger.open(config, storage)) {
                Account account = new Account() {
                    @Override
                    void apply(ByteBuffer deposit) {
                        number = deposit.getLong();
                        balance += deposit.getLong();
                    }
                }.replay(logger);
                assertThat(account.balance).as("balance").isEqualTo(100 * account.number);
                return account.number;
            }
        }
    }

    @Test
    void shouldFindADepositThatCountsTwice() {
        assertThatExceptionOfType(CrashFailure.class)
                .isThrownBy(() -> CrashExplorer.of(TwiceScript::new).explore())
                .withMessageContaining("[balance]");
    }

    @Test
    void shouldCutThePowerByHand() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(4096).build();
        byte[] message = {1, 2, 3};
        long seed = 1;
        // snippet: testing-by-hand
        CrashableStorage storage = new CrashableStorage().cutPowerAt(200);
        long safe = 0;
        try (MessageLogger logger = MessageLogger.open(config, storage)) {
            while (true) {
                logger.append(message);
                safe = logger.commit(Durability.SYNCED);
            }
        } catch (PowerCut | LogIOException off) {
            // the machine is off
        }
        CrashableStorage after = storage.crash(new Random(seed), Loss.RANDOM); // what the device has
        try (MessageLogger logger = MessageLogger.open(config, after)) {
            assertThat(logger.position()).isGreaterThanOrEqualTo(safe);
        }
        // end
        assertThat(safe).isPositive();
        assertThat(after.operations()).isPositive();
    }

    @Test
    void shouldFailByHand() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(4096).build();
        byte[] message = {1, 2, 3};
        // snippet: testing-faulty
        FaultyStorage faulty = new FaultyStorage(new CrashableStorage());
        MessageLogger logger = MessageLogger.open(config, faulty);
        faulty.fail(Verb.FORCE, 1); // the next one; shortWrite, failFrom, lie and message do other things
        logger.append(message);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> logger.commit(Durability.SYNCED));
        // end
        assertThatExceptionOfType(LogIOException.class).isThrownBy(logger::close);
        assertThat(faulty.injected()).isEqualTo(1);
    }
}
