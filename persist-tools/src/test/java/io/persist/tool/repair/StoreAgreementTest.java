package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever is damaged of a store: what verify and repair say is what opening does, and their advice never harms. */
class StoreAgreementTest {

    private static final int SEEDS = 40;

    /** Two checkpoints, and log before, between and after them. */
    private static CrashableStorage plain() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(storage)) {
            for (int i = 0; i < 3; i++) {
                ToolStore.put(store, "key-" + i, "value");
                ToolStore.overwrite(store, 6);
                if (i < 2) {
                    store.checkpoint();
                }
            }
        }
        return storage;
    }

    /** The same, and segments of it were vacated; there is log after the checkpoints that this needed. */
    private static CrashableStorage compacted() {
        CrashableStorage storage = new CrashableStorage();
        ToolStore.compacted(storage);
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "more", "value");
            ToolStore.overwrite(store, 6);
        }
        return storage;
    }

    private static CrashableStorage copy(CrashableStorage storage) {
        CrashableStorage copy = new CrashableStorage();
        storage.list().forEach(name -> copy.replace(name, storage.content(name)));
        return copy;
    }

    private static List<String> files(CrashableStorage storage, boolean ofCheckpoints) {
        return storage.list().stream()
                .filter(name -> ofCheckpoints
                        ? CheckpointName.position(name).isPresent()
                        : LogFileName.basePosition(name).isPresent())
                .sorted()
                .toList();
    }

    private static String any(List<String> names, Random random) {
        return names.get(random.nextInt(names.size()));
    }

    private static String damage(CrashableStorage storage, Random random) throws IOException {
        boolean ofCheckpoints = random.nextBoolean();
        List<String> names = files(storage, ofCheckpoints);
        if (names.isEmpty()) {
            return "nothing";
        }
        String name = any(names, random);
        byte[] bytes = storage.content(name);
        switch (random.nextInt(5)) {
            case 0 -> {
                int data = bytes.length;
                while (data > 1 && bytes[data - 1] == 0) {
                    data--;
                }
                int at = random.nextInt(data);
                bytes[at] ^= (byte) (1 << random.nextInt(8));
                storage.replace(name, bytes);
                return name + " flipped at " + at;
            }
            case 1 -> {
                storage.replace(name, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                return name + " cut short";
            }
            case 2 -> {
                storage.delete(name);
                return name + " deleted";
            }
            case 3 -> {
                int from = random.nextInt(bytes.length);
                Arrays.fill(bytes, from, Math.min(bytes.length, from + 600), (byte) 0);
                storage.replace(name, bytes);
                return name + " zeroed from " + from;
            }
            default -> {
                if (!ofCheckpoints || bytes.length < CheckpointHeader.LENGTH) {
                    return "nothing";
                }
                long position = CheckpointName.position(name).orElseThrow();
                try {
                    CheckpointHeader old = CheckpointHeader.decode(bytes, name, position);
                    long logId = random.nextBoolean() ? 4711 : old.logId();
                    byte[] header = new CheckpointHeader(
                                    logId,
                                    position,
                                    old.sequence() + 1,
                                    old.salt(),
                                    old.createdAtMs(),
                                    old.predecessor(),
                                    old.predecessorSalt())
                            .encode();
                    System.arraycopy(header, 0, bytes, 0, header.length);
                    storage.replace(name, bytes);
                    return name + " of log " + logId + " with another number";
                } catch (PersistException damaged) {
                    return "nothing";
                }
            }
        }
    }

    /** Why opening refuses the store; null if it does not. */
    private static @Nullable String refusal(CrashableStorage storage) {
        try {
            ToolStore.open(storage).close();
            return null;
        } catch (PersistException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String field(String json, String name) {
        return json.replaceFirst("(?s).*\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\".*", "$1");
    }

    private static Run verify(CrashableStorage storage, Output output) {
        return ToolLog.run(storage, new VerifyTool(output, base -> {}));
    }

    private static Map<String, byte[]> content(CrashableStorage storage) {
        Map<String, byte[]> content = new TreeMap<>();
        storage.list().forEach(name -> content.put(name, storage.content(name)));
        return content;
    }

    /** What a cut takes away may be all that said how far the log had been synced: then older damage shows. */
    @Test
    void shouldAgreeOverDamageInTwoSegments() {
        CrashableStorage plain = plain();
        List<String> segments = files(plain, false);
        for (int first = 0; first < segments.size(); first++) {
            for (int second = first + 1; second < segments.size(); second++) {
                CrashableStorage storage = copy(plain);
                flip(storage, segments.get(first));
                flip(storage, segments.get(second));
                agree(storage, segments.get(first) + " and " + segments.get(second));
            }
        }
    }

    private static void flip(CrashableStorage storage, String segment) {
        byte[] bytes = storage.content(segment);
        bytes[2700] ^= 1; // in a value
        storage.replace(segment, bytes);
    }

    @Test
    void shouldAgreeOverWhateverIsDamaged() throws IOException {
        CrashableStorage plain = plain();
        CrashableStorage compacted = compacted();
        TreeSet<String> seen = new TreeSet<>();
        Seeds.run(SEEDS, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = copy(random.nextBoolean() ? plain : compacted);
            StringBuilder what = new StringBuilder("seed " + seed);
            for (int i = random.nextInt(3); i >= 0; i--) {
                what.append(", ").append(damage(storage, random));
            }
            seen.add(agree(storage, what.toString()));
        });
        System.out.println("StoreAgreementTest: " + seen);
    }

    /** After a crash every store opens, and verify says so. */
    @Test
    void shouldAgreeAfterWhateverCrash() {
        Seeds.run(20, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            StoreLogger store = ToolStore.open(storage);
            for (int i = random.nextInt(30); i >= 0; i--) {
                ToolStore.put(store, "key-" + random.nextInt(5), "v".repeat(random.nextInt(1500)));
                if (random.nextInt(8) == 0) {
                    store.checkpoint();
                }
                if (random.nextInt(5) == 0) {
                    storage.writeBack(random);
                }
            }
            Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
            CrashableStorage after = random.nextBoolean() ? storage.afterKill() : storage.crash(random, loss);
            assertThatExceptionOfType(Throwable.class).isThrownBy(store::close);
            String said = verify(after, Output.JSON).out();
            try (StoreLogger again = ToolStore.open(after)) {
                assertThat(field(said, "recoveryCheckpoint"))
                        .as(said)
                        .isEqualTo(again.recovery().checkpoint().file());
            }
            assertThat(field(said, "refusal")).as(said).isEmpty();
        });
    }

    /** Returns what became of the store. */
    private static String agree(CrashableStorage storage, String what) {
        Map<String, byte[]> before = content(storage);
        Run verified = verify(storage, Output.JSON);
        Run plan = ToolLog.run(storage, new RepairTool(Effect.DRY_RUN));
        assertThat(content(storage)).as(what).containsExactlyEntriesOf(before);
        String refusal = refusal(copy(storage));
        if (verified.out().isEmpty()) { // of what is no log at all nothing can be said
            assertThat(refusal == null ? "" : refusal).as(what + verified.err()).isNotEmpty();
            assertThat(verified.code()).isEqualTo(ExitCode.FAILURE);
            return "unreadable";
        }
        String said = what + ": opening says " + refusal + "; " + verified.out() + plan.out() + plan.err();
        assertThat(field(verified.out(), "refusal").isEmpty()).as(said).isEqualTo(refusal == null);
        String status = field(verified.out(), "status");
        if (refusal == null) {
            assertThat(plan.code()).as(said).isZero();
            assertThat(plan.out()).as(said).contains("nothing to repair");
            return status + (verified.code() == 0 ? " opens" : " opens in part");
        }
        assertThat(verified.code()).as(said).isEqualTo(ExitCode.FAILURE);
        assertThat(status).as(said).isIn("damaged", "refused");
        assertThat(verify(storage, Output.TEXT).out())
                .as(said)
                .doesNotContain("clean")
                .contains("what can be done: ");
        CrashableStorage copy = copy(storage);
        Run repaired = ToolLog.run(copy, new RepairTool(Effect.APPLY));
        assertThat(repaired.code()).as(said).isEqualTo(plan.code());
        if (repaired.code() == ExitCode.OK) {
            assertThat(refusal(copy)).as(said + repaired.out()).isNull();
            return status + " repaired";
        }
        assertThat(content(copy)).as(said).containsExactlyEntriesOf(before);
        return status + follow(copy, field(verified.out(), "remedy"), said);
    }

    /** Does what is said to help; returns what that was. */
    private static String follow(CrashableStorage storage, String remedy, String said) {
        if (!remedy.contains("move ")) {
            assertThat(remedy).as(said).contains("restore a backup");
            return " not repaired";
        }
        Stream.of(remedy.replaceFirst(".*move (.*) out of the directory.*", "$1")
                        .split(", "))
                .forEach(name -> delete(storage, name));
        assertThat(refusal(storage)).as(said).isNull();
        return " moved away";
    }

    private static void delete(CrashableStorage storage, String name) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A store without a checkpoint is opened by its whole log, which was closed: nothing is damaged at its end. */
    @Test
    void shouldNameTheFileThatIsDamagedLongBeforeTheEnd() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 30);
        }
        String file = LogFileName.segment(4096);
        byte[] bytes = storage.content(file);
        bytes[500] ^= 1;
        storage.replace(file, bytes);
        assertThatExceptionOfType(PersistException.class)
                .isThrownBy(() -> ToolStore.open(storage))
                .withMessageContaining("file=" + file);
        assertThat(ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {})).out())
                .contains("recovery: refused, ")
                .contains("file=" + file)
                .contains("what can be done: name the directory of the store's checkpoints")
                .contains("; else repair leaves the log alone")
                .contains(", file " + file + ", would go; put good copies back");
    }
}
