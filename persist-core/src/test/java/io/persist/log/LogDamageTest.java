package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.format.SegmentName;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to the bytes of a log, no reader and no recovery ever yields a record that was not appended: there is
 * a prefix, or a typed exception. What was acknowledged is not cut silently.
 *
 * <p>Each case has a storage of its own, so all CPUs try them.
 */
final class LogDamageTest {

    private static final int RECORDS = 64;
    private static final int SEGMENT_LENGTH = 4096;
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(SEGMENT_LENGTH).build();

    /** How the log was left before it was damaged. */
    private enum Left {
        CLOSED,
        KILLED,
        POWER_CUT
    }

    private final List<byte[]> records = new ArrayList<>();

    @Test
    void shouldNeverYieldAWrongRecordWhicheverBitIsFlipped() {
        for (Left left : Left.values()) {
            Map<String, byte[]> log = log(left);
            for (String name : log.keySet()) {
                byte[] whole = log.get(name);
                int bits = Math.min(whole.length, endOfData(whole) + 64) * 8;
                IntStream.range(0, bits).parallel().forEach(bit -> {
                    byte[] flipped = whole.clone();
                    flipped[bit / 8] ^= (byte) (1 << (bit % 8));
                    check(left, log, name, flipped, left + " bit " + bit + " of " + name);
                });
            }
        }
    }

    @Test
    void shouldNeverYieldAWrongRecordWhereverAFileIsTruncated() {
        for (Left left : Left.values()) {
            Map<String, byte[]> log = log(left);
            for (String name : log.keySet()) {
                byte[] whole = log.get(name);
                IntStream.range(0, whole.length).parallel().forEach(length -> {
                    check(left, log, name, Arrays.copyOf(whole, length), left + " " + name + " cut to " + length);
                    byte[] zeroed = Arrays.copyOf(Arrays.copyOf(whole, length), whole.length);
                    check(left, log, name, zeroed, left + " " + name + " zero from " + length);
                });
            }
        }
    }

    @Test
    void shouldNeverYieldAWrongRecordWhenSectorsAreOverwrittenOrMisplaced() {
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            Left left = Left.values()[random.nextInt(Left.values().length)];
            Map<String, byte[]> log = log(left);
            List<String> names = List.copyOf(log.keySet());
            for (String name : names) {
                byte[] whole = log.get(name);
                for (int sector = 0; sector < whole.length; sector += 512) {
                    byte[] source = log.get(names.get(random.nextInt(names.size())));
                    int from = random.nextInt(source.length / 512) * 512;
                    byte[] misplaced = whole.clone();
                    System.arraycopy(source, from, misplaced, sector, 512);
                    check(left, log, name, misplaced, left + " " + name + " sector " + sector + " from " + from);
                    byte[] garbage = whole.clone();
                    byte[] noise = new byte[512];
                    random.nextBytes(noise);
                    System.arraycopy(noise, 0, garbage, sector, 512);
                    check(left, log, name, garbage, left + " " + name + " garbage at " + sector);
                    Arrays.fill(garbage, sector, sector + 512, (byte) 0xFF);
                    check(left, log, name, garbage, left + " " + name + " ones at " + sector);
                }
            }
        });
    }

    /** Nothing else than the header says that there are records behind it. */
    @Test
    void shouldTakeADamagedSegmentHeaderForDamageAndNotForATornWrite() {
        Map<String, byte[]> log = log(Left.POWER_CUT);
        log.remove(SegmentName.CONTROL);
        String second = SegmentName.of(SEGMENT_LENGTH);
        byte[] damaged = log.get(second).clone();
        damaged[20] ^= 1;
        log.keySet().removeIf(name -> name.compareTo(second) > 0);
        log.put(second, damaged);
        CrashableStorage storage = new CrashableStorage();
        log.forEach(storage::replace);
        assertThatThrownBy(() -> Log.open(CONFIG, storage))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining(second);
        assertThat(storage.content(second)).isEqualTo(damaged);
    }

    /** A log of several segments, every record of it synced, as the bytes of its files. */
    private Map<String, byte[]> log(Left left) {
        records.clear();
        CrashableStorage storage = new CrashableStorage();
        Map<String, byte[]> files;
        try (Log log = Log.open(CONFIG, storage)) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] record = new byte[(i * 37) % 300];
                new Random(i).nextBytes(record);
                records.add(record);
                log.append(record, 0, record.length);
                log.commit(Durability.SYNCED);
            }
            files = files(storage);
        }
        return left == Left.CLOSED ? files(storage) : files;
    }

    /** The files in which records and positions are. */
    private static Map<String, byte[]> files(CrashableStorage storage) {
        Map<String, byte[]> files = new TreeMap<>();
        for (String name : storage.list()) {
            if (name.endsWith(".log") || name.equals(SegmentName.CONTROL)) {
                files.put(name, storage.content(name));
            }
        }
        return files;
    }

    private static int endOfData(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /** The log with other bytes in one file, for a reader and for a writer. */
    private void check(Left left, Map<String, byte[]> files, String damagedName, byte[] damaged, String what) {
        CrashableStorage built = new CrashableStorage();
        files.forEach(built::replace);
        built.replace(damagedName, damaged);
        CrashableStorage storage = left == Left.POWER_CUT ? built.crash(new Random(1), Loss.ALL_KEPT) : built;
        checkPrefix(storage, what);
        try (Log log = Log.open(CONFIG, storage)) {
            // All of them had been acknowledged as synced, so none may be cut without a word.
            assertThat(log.lastSequence())
                    .as(what + ": " + log.recovery().describe())
                    .isEqualTo(RECORDS);
            checkPrefix(storage, what);
        } catch (PersistException refused) {
            assertThat(refused).as(what).hasMessageNotContaining("\n");
        }
    }

    private void checkPrefix(CrashableStorage storage, String what) {
        int read = 0;
        try (Tailer tailer = Tailer.open(CONFIG, storage)) {
            while (tailer.next()) {
                byte[] bytes = new byte[tailer.payload().remaining()];
                tailer.payload().get(tailer.payload().position(), bytes);
                assertThat(tailer.sequence()).as(what).isEqualTo(read + 1);
                assertThat(bytes).as(what).isEqualTo(records.get(read));
                read++;
            }
        } catch (PersistException typed) {
            assertThat(typed).as(what).hasMessageNotContaining("\n");
        }
    }
}
