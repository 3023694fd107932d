package io.persist.support;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.log.WriteMode;
import io.persist.support.BareLog.Checksum;
import io.persist.support.BrokenStorage.Defect;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashFailure;
import io.persist.testkit.CrashPoint;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrashExplorerTest {

    @BeforeEach
    void needNoGivenPoint() {
        assumeThat(System.getProperty("crash")).isNull();
    }

    private static CrashFailure failure(CrashExplorer explorer) {
        return requireNonNull(catchThrowableOfType(CrashFailure.class, explorer::explore), "nothing was found");
    }

    // ---- loggers

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldFindNothingWrongWithALogger(WriteMode mode) {
        CrashExplorer explorer = CrashExplorer.of(() -> new NumbersScript(mode, storage -> storage));

        Exploration tried =
                Seeds.lessInABuild(explorer, Seeds.seed()).randomLives(3).explore();

        assertThat(tried.operations()).isGreaterThan(30);
        assertThat(tried.points()).isGreaterThan(tried.operations() / 2); // of each fourth
        assertThat(tried.points() - tried.unreached()).isGreaterThan(15);
        assertThat(tried.histories()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldFindNothingWrongWithAWriterThread(WriteMode mode) {
        CrashExplorer explorer = CrashExplorer.of(() -> new NumbersScript.Detached(mode));

        Exploration tried =
                Seeds.lessInABuild(explorer, Seeds.seed()).randomLives(3).explore();

        assertThat(tried.points() - tried.unreached()).isGreaterThan(15);
    }

    @Test
    void shouldFindNothingWrongWithAStore() {
        List<Supplier<CrashScript>> all = List.of(StoreScript::new, StoreScript.Detached::new);
        long seed = Seeds.seed();
        int drawn = (int) (seed / Loss.values().length % all.size()); // the rest says which loss
        for (Supplier<CrashScript> scripts : Seeds.isNightly() ? all : all.subList(drawn, drawn + 1)) {
            CrashExplorer explorer = CrashExplorer.of(scripts);

            Exploration tried =
                    Seeds.lessInABuild(explorer, seed).randomLives(3).explore();

            assertThat(tried.points() - tried.unreached()).isGreaterThan(15);
        }
    }

    // ---- negative controls: what does not keep its promise is found

    private static Stream<Arguments> defects() {
        return Stream.of(Defect.values())
                .flatMap(defect -> Stream.of(WriteMode.values()).map(mode -> Arguments.of(defect, mode)));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void shouldFindAStorageThatDoesNotSync(Defect defect, WriteMode mode) {
        CrashExplorer explorer =
                CrashExplorer.of(() -> new NumbersScript(mode, storage -> new BrokenStorage(storage, defect)));
        if (defect == Defect.RETRIED_SYNC) {
            explorer.faults(Fault.IO_ERROR);
        }
        CrashFailure found = failure(explorer);

        assertThat(found)
                .hasMessageMatching(
                        "(?s).*(the last number|acknowledged records are damaged|where a synced record was).*");
    }

    private static final class BareScript implements CrashScript {

        private static final int LENGTH = 150;

        private final Checksum checksum;
        private int acknowledged;

        BareScript(Checksum checksum) {
            this.checksum = checksum;
        }

        @Override
        public void run(Storage storage) throws IOException {
            try (BareLog log = new BareLog(storage, checksum)) {
                for (int i = 0; i < 3; i++) {
                    log.append(Records.of(log.records().size(), LENGTH));
                    log.append(Records.of(log.records().size(), LENGTH));
                    log.sync();
                    acknowledged = log.records().size();
                }
            }
        }

        @Override
        public Object check(Storage storage) throws IOException {
            try (BareLog log = new BareLog(storage, checksum)) {
                List<byte[]> records = log.records();
                assertThat(records).hasSizeGreaterThanOrEqualTo(acknowledged);
                for (int i = 0; i < records.size(); i++) {
                    assertThat(records.get(i)).as("record " + i).isEqualTo(Records.of(i, LENGTH));
                }
                return records.size();
            }
        }
    }

    @Test
    void shouldFindALogWithoutAChecksum() {
        CrashExplorer.of(() -> new BareScript(Checksum.CRC32C))
                .faults(Fault.POWER_CUT, Fault.KILL)
                .explore();

        CrashFailure found = null;
        for (int tries = 0; tries < 20 && found == null; tries++) { // a record has to be torn in its midst
            CrashExplorer explorer =
                    CrashExplorer.of(() -> new BareScript(Checksum.NONE)).faults(Fault.POWER_CUT);
            found = catchThrowableOfType(CrashFailure.class, explorer::explore);
        }
        assertThat(found).hasMessageContaining("record ");
    }

    // ---- what a failure says

    /** Acknowledges before its directory is synced, which is the fourth operation. */
    private static class Hasty implements CrashScript {

        private boolean isAcknowledged;

        @Override
        public void run(Storage storage) throws IOException {
            if (!storage.list().contains("a")) {
                try (StorageFile file = storage.create("a")) {
                    file.write(0, new byte[10], 0, 10, WriteThrough.NONE);
                    file.sync();
                }
                isAcknowledged = true;
                storage.syncDirectory();
            }
        }

        @Override
        public Object check(Storage storage) throws IOException {
            if (isAcknowledged) {
                assertThat(storage.list()).contains("a");
            }
            return storage.list();
        }
    }

    @Test
    void shouldSayWhereItFailsFirstAndHowToRepeatIt() {
        CrashFailure found = failure(CrashExplorer.of(Hasty::new).seed(7));

        assertThat(found.getMessage())
                .startsWith("POWER_CUT at operation 4 (syncDirectory, number 1 of its kind), loss ALL_LOST, "
                        + "at the first opening: ")
                .endsWith("; no earlier operation of the script fails; repeat it with "
                        + "-Dcrash=POWER_CUT:ALL_LOST:1:syncDirectory -Dseed=7");
        assertThat(found.seed()).isEqualTo(7);
        assertThat(CrashPoint.parse(found.crash()))
                .isEqualTo(new CrashPoint(Fault.POWER_CUT, Loss.ALL_LOST, "syncDirectory", 1));
    }

    @Test
    void shouldRepeatAFailureByItsPointAndSeed() {
        Supplier<CrashScript> scripts =
                () -> new NumbersScript(WriteMode.FILE, storage -> new BrokenStorage(storage, Defect.NO_SYNC));
        CrashFailure found = failure(CrashExplorer.of(scripts));

        assertThatExceptionOfType(CrashFailure.class)
                .isThrownBy(() -> CrashExplorer.of(scripts).seed(found.seed()).replay(found.crash()))
                .satisfies(again -> assertThat(again.crash()).isEqualTo(found.crash()));
    }

    @Test
    void shouldRepeatWhatTheSystemPropertySays() {
        System.setProperty("crash", "POWER_CUT:ALL_LOST:1:syncDirectory");
        try {
            assertThat(failure(CrashExplorer.of(Hasty::new)).crash()).isEqualTo("POWER_CUT:ALL_LOST:1:syncDirectory");
            System.setProperty("crash", "POWER_CUT:ALL_LOST:1:create:a");
            assertThat(CrashExplorer.of(Hasty::new).explore().points()).isEqualTo(1);
        } finally {
            System.clearProperty("crash");
        }
    }

    /** Right as long as it has one life: from the second one on it acknowledges what it does not do. */
    private static final class Forgetful implements CrashScript {

        private int lives;
        private int acknowledged;

        @Override
        public void run(Storage storage) throws IOException {
            lives++;
            String name = "file" + lives;
            storage.create(name).close();
            if (lives < 3) {
                storage.syncDirectory();
            }
            acknowledged = lives;
        }

        @Override
        public Object check(Storage storage) throws IOException {
            if (acknowledged > 2) {
                assertThat(storage.list()).contains("file" + acknowledged);
            }
            return storage.list();
        }
    }

    @Test
    void shouldFindInARandomHistoryWhatOneLifeDoesNotShow() {
        CrashFailure found = failure(CrashExplorer.of(Forgetful::new)
                .faults(Fault.POWER_CUT)
                .losses(Loss.ALL_LOST)
                .randomLives(Duration.ofMinutes(2))); // it ends with the first that fails

        assertThat(found)
                .hasMessageContaining("of a random history")
                .hasMessageContaining("-Dcrash=LIVES:ALL_LOST -Dseed=");
        for (Loss any : List.of(Loss.ALL_LOST, Loss.ALL_KEPT)) { // a build may have drawn another one by now
            assertThatExceptionOfType(CrashFailure.class)
                    .isThrownBy(() -> CrashExplorer.of(Forgetful::new)
                            .faults(Fault.POWER_CUT)
                            .losses(any)
                            .seed(found.seed())
                            .replay(found.crash()))
                    .withMessage(found.getMessage());
        }
    }

    @Test
    void shouldNameAHistoryWithoutLossesIfItHasAll() {
        CrashFailure found = failure(CrashExplorer.of(Forgetful::new)
                .faults(Fault.POWER_CUT)
                .randomLives(Duration.ofMinutes(2))); // it ends with the first that fails

        assertThat(found.crash()).isEqualTo(CrashExplorer.LIVES);
        assertThatExceptionOfType(CrashFailure.class)
                .isThrownBy(() -> CrashExplorer.of(Forgetful::new)
                        .faults(Fault.POWER_CUT)
                        .seed(found.seed())
                        .replay(found.crash()))
                .withMessage(found.getMessage());
    }

    // ---- scripts that are wrong otherwise

    @Test
    void shouldSeeThatASecondOpeningFindsSomethingElse() {
        assertThat(failure(CrashExplorer.of(() -> new Hasty() {
                    @Override
                    public Object check(Storage storage) throws IOException {
                        storage.create("recovered" + storage.list().size()).close();
                        storage.syncDirectory();
                        return storage.list();
                    }
                })))
                .hasMessageContaining("at the second opening: check() saw [");
    }

    @Test
    void shouldRefuseAScriptThatFailsWithoutAFault() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> CrashExplorer.of(() -> new Hasty() {
                            @Override
                            public void run(Storage storage) throws IOException {
                                throw new IOException("disk on fire");
                            }
                        })
                        .explore())
                .withMessage("in a life without a fault: java.io.IOException: disk on fire");
    }

    @Test
    void shouldRefuseAScriptThatClosesNotWhatItOpened() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> CrashExplorer.of(() -> new Hasty() {
                            @Override
                            public void run(Storage storage) throws IOException {
                                storage.create("b");
                            }
                        })
                        .explore())
                .withMessageContaining("1 files, mappings and locks not closed");
    }

    @Test
    void shouldTellAThreadThatDies() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> CrashExplorer.of(() -> new Hasty() {
                            @Override
                            public void run(Storage storage) {
                                Thread thread = new Thread(() -> {
                                    throw new IllegalStateException("nobody looks");
                                });
                                thread.start();
                                join(thread);
                            }
                        })
                        .explore())
                .withMessageContaining("nobody looks");
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldGiveOperationsTheirTurnThatOnlySomeRunsHave() {
        AtomicInteger made = new AtomicInteger();
        Exploration tried = CrashExplorer.of(() -> new CrashScript() {
                    private final String name = "file" + made.incrementAndGet() % 2;

                    @Override
                    public void run(Storage storage) throws IOException {
                        if (!storage.list().contains(name)) {
                            storage.create(name).close();
                        }
                    }

                    @Override
                    public Object check(Storage storage) throws IOException {
                        return storage.list();
                    }
                })
                .faults(Fault.POWER_CUT)
                .losses(Loss.ALL_LOST)
                .randomLives(0)
                .explore();

        assertThat(tried.operations()).isEqualTo(2);
        assertThat(tried.points()).isEqualTo(3);
        assertThat(tried.unreached()).isZero();
    }

    /** Makes {@value #FILES} files, and notes the one at which it was stopped. */
    private static final class ManyFiles implements CrashScript {

        private static final int FILES = 10;

        private final Set<Integer> stoppedAt;

        ManyFiles(Set<Integer> stoppedAt) {
            this.stoppedAt = stoppedAt;
        }

        @Override
        public void run(Storage storage) throws IOException {
            for (int i = storage.list().size(); i < FILES; i++) {
                try {
                    storage.create("file" + i).close();
                } catch (PowerCut cut) {
                    stoppedAt.add(i);
                    throw cut;
                }
            }
        }

        @Override
        public Object check(Storage storage) throws IOException {
            return storage.list();
        }
    }

    @Test
    void shouldTryEachNthOperationAndWithOtherSeedsTheOthers() {
        Set<Set<Integer>> tried = new HashSet<>();
        for (long seed = 1; seed < 40; seed++) {
            Set<Integer> stoppedAt = new TreeSet<>();
            CrashExplorer.of(() -> new ManyFiles(stoppedAt))
                    .faults(Fault.POWER_CUT)
                    .losses(Loss.ALL_LOST)
                    .everyNth(3)
                    .randomLives(0)
                    .seed(seed)
                    .explore();
            tried.add(stoppedAt);
        }
        // The end of run() is tried before the operations.
        assertThat(tried).containsExactlyInAnyOrder(Set.of(2, 5, 8), Set.of(0, 3, 6, 9), Set.of(1, 4, 7));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrashExplorer.of(Hasty::new).everyNth(0))
                .withMessage("n must be at least 1, n=0");
    }

    @Test
    void shouldNotSayThatNoEarlierOperationFailsIfItHasNotTriedAll() {
        assertThat(failuresOfHasty(1)).isNotEmpty().allMatch(message -> message.contains("no earlier operation"));
        assertThat(failuresOfHasty(2)).isNotEmpty().noneMatch(message -> message.contains("no earlier operation"));
    }

    private static List<String> failuresOfHasty(int n) {
        return LongStream.range(1, 20)
                .mapToObj(seed -> catchThrowableOfType(
                        CrashFailure.class,
                        () -> CrashExplorer.of(Hasty::new)
                                .everyNth(n)
                                .randomLives(0)
                                .seed(seed)
                                .explore()))
                .filter(Objects::nonNull)
                .map(Throwable::getMessage)
                .toList();
    }

    @Test
    void shouldRefuseATextThatIsNoPoint() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrashExplorer.of(Hasty::new).replay("POWER_CUT:4"))
                .withMessageStartingWith("no crash point: POWER_CUT:4; needed is FAULT:LOSS:OCCURRENCE:VERB:FILE");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CrashExplorer.of(Hasty::new).replay("LIVES:SOME_LOST"))
                .withMessageStartingWith("no losses of random lives: LIVES:SOME_LOST; needed is LIVES:LOSS,LOSS… of");
        for (String operation : List.of("write control", "syncDirectory", CrashPoint.END)) {
            CrashPoint point = new CrashPoint(Fault.IO_ERROR, Loss.RANDOM, operation, 3);
            assertThat(CrashPoint.parse(point.toString())).isEqualTo(point);
        }
    }
}
