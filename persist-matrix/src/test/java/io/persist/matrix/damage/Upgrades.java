package io.persist.matrix.damage;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.UnsupportedFormatException;
import io.persist.log.Durability;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What released versions have written, the golden files: the logger that it is of shows all of it, and appends to it;
 * another logger refuses it and changes nothing, and so does each one with what only was a trial.
 */
public final class Upgrades implements Exercise {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/golden");
    private static final int APPENDED = 60;

    /** It has checkpoints of keys, which no release wrote and none reads. */
    private static final Set<String> READ_BY_NONE = Set.of("v1-store");

    @Override
    public Row row() {
        return Row.UPGRADE;
    }

    @Override
    public void run(Subject subject, Effort effort) throws IOException {
        String suffix = suffix(subject.logger());
        int own = 0;
        try (Stream<Path> all = Files.list(GOLDEN)) {
            for (Path directory : all.filter(Upgrades::isLog).toList()) {
                CrashableStorage storage = copy(directory);
                String name = directory.getFileName().toString();
                if (name.matches("v\\d+" + suffix) && !READ_BY_NONE.contains(name)) {
                    own++;
                    checkTaken(subject, storage);
                } else {
                    checkRefused(subject, storage);
                }
                effort.tried(1);
            }
        }
        assertThat(own).as("golden logs of " + subject).isPositive();
    }

    private static String suffix(Subject.Logger logger) {
        return switch (logger) {
            case MESSAGE -> "";
            case PACKET -> "-packets";
            case STORE -> "-store";
        };
    }

    private static boolean isLog(Path path) {
        return Files.isDirectory(path) && path.getFileName().toString().matches("v\\d+(-packets|-store)?");
    }

    private static CrashableStorage copy(Path directory) throws IOException {
        CrashableStorage storage = new CrashableStorage();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                storage.replace(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return storage;
    }

    private static void checkTaken(Subject subject, CrashableStorage storage) {
        List<ByteBuffer> before = records(subject, storage);
        assertThat(before).isNotEmpty();
        Entries entries = new Entries();
        for (int life = 1; life <= 2; life++) {
            try (Life open = subject.open(storage)) {
                assertThat(open.recovery().cut().bytes()).isZero();
                for (int i = 0; i < APPENDED; i++) {
                    open.append(entries, entries.add(life));
                }
                open.commit(Durability.SYNCED);
            }
            List<ByteBuffer> after = records(subject, storage);
            assertThat(after).hasSize(before.size() + life * APPENDED);
            assertThat(after.subList(0, before.size())).isEqualTo(before);
        }
    }

    private static List<ByteBuffer> records(Subject subject, CrashableStorage storage) {
        List<ByteBuffer> records = new ArrayList<>();
        try (Tailer tailer = subject.tailer(storage)) {
            while (tailer.next()) {
                ByteBuffer payload = tailer.payload();
                records.add(
                        ByteBuffer.allocate(payload.remaining()).put(payload).flip());
            }
        }
        return records;
    }

    private static void checkRefused(Subject subject, CrashableStorage storage) {
        Map<String, ByteBuffer> before = content(storage);
        try (Life open = subject.open(storage)) {
            throw new AssertionError(subject + " took the log of another logger, " + open.recovery());
        } catch (UnsupportedFormatException refused) {
            Map<String, ByteBuffer> after = content(storage);
            after.keySet().retainAll(before.keySet());
            assertThat(after).isEqualTo(before);
        }
    }

    private static Map<String, ByteBuffer> content(CrashableStorage storage) {
        Map<String, ByteBuffer> content = new TreeMap<>();
        storage.list().forEach(name -> content.put(name, ByteBuffer.wrap(storage.content(name))));
        return content;
    }
}
