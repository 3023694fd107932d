package io.persist.shard.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.model.Frontier;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StateBytesTest {

    private static final String OBJECT = "s1/w/p01234567-89ab-cdef-0123-456789abcdef";
    private static final ShardState FIRST = ShardState.create("s1", "k", "v");
    private static final ShardState NEXT = Holders.addReader(
                    Holders.addWriter(FIRST, "w", 5, 6).next(), "r", Frontier.MINIMUM, 7, 8)
            .next()
            .numbered(2);

    private static byte[] sealed(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        int sum = (int) crc.getValue();
        for (int i = 0; i < 4; i++) {
            bytes[bytes.length - 4 + i] = (byte) (sum >>> 24 - 8 * i);
        }
        return bytes;
    }

    @Test
    void shouldNoticeEachDamagedByteAndEachCut() {
        byte[] bytes = StateBytes.changes(FIRST, NEXT, 1, 7);
        for (int i = 0; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 4;
            byte[] cut = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> StateBytes.read("s1", FIRST, damaged)).isInstanceOf(DamagedShardException.class);
            assertThatThrownBy(() -> StateBytes.read("s1", FIRST, cut)).isInstanceOf(DamagedShardException.class);
        }
    }

    /** Bytes with a checksum that fits may still be anything: they give a state or a typed error. */
    @Test
    void shouldSurviveHostileBytes() {
        Seeds.run(2_000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = StateBytes.whole(NEXT, 7);
            for (int i = 0; i < 3; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                StateBytes.read("s1", FIRST, sealed(bytes));
            } catch (DamagedShardException | NewerVersionException typed) {
                assertThat(typed).hasMessageContaining("s1");
            }
        });
    }

    private static ShardState with(BatchPart part) {
        BatchState batch = new BatchState(Frontier.MINIMUM, Frontier.at(1), Frontier.MINIMUM, List.of(List.of(part)));
        return FIRST.withUpper(batch.upper(), List.of(batch));
    }

    private static void assertDamaged(ShardState forged, String why) {
        for (byte[] bytes : List.of(StateBytes.whole(forged, 7), StateBytes.changes(FIRST, forged.numbered(2), 1, 7))) {
            assertThatThrownBy(() -> StateBytes.read("s1", FIRST, bytes))
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining(why);
        }
    }

    @Test
    void shouldReadPartsAsTheyWere() {
        for (BatchPart part : List.of(
                new BatchPart(OBJECT, null, 8, 0, 0, 7),
                new BatchPart(OBJECT, null, Integer.MAX_VALUE - 8, 3, 4, 7),
                new BatchPart(null, new byte[20], 20, 3, 4, 7))) {
            assertThat(StateBytes.read("s1", null, StateBytes.whole(with(part), 7)))
                    .isEqualTo(with(part));
        }
    }

    /** Memory for them would be taken before a look at the object. */
    @ParameterizedTest
    @CsvSource({"-1,3,4", "-2147483648,3,4", "0,3,0", "7,3,4", "2147483647,3,4", "20,-1,4", "20,3,21", "20,3,-1"})
    void shouldRefuseAPartOfAnImpossibleLength(int bytes, int updates, int longest) {
        String why = "a part of " + bytes + " bytes and " + updates + " updates, the longest of " + longest + " bytes";
        assertDamaged(with(new BatchPart(OBJECT, null, bytes, updates, longest, 7)), why);
        assertDamaged(with(new BatchPart(null, new byte[bytes == 20 ? 20 : 21], bytes, updates, longest, 7)), why);
    }

    /** What is garbage is deleted. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s1/w/p",
                "s2/w/p01234567-89ab-cdef-0123-456789abcdef",
                "s1/w/q01234567-89ab-cdef-0123-456789abcdef",
                "s1/w/p01234567-89ab-cdef-0123-456789abcdef/x",
                "s1/../s2/w/p01234567-89ab-cdef-0123-456789abcdef",
                "s1/\u0000/w/p01234567-89ab-cdef-0123-456789abcdef"
            })
    void shouldRefuseAnObjectThatIsNoPartOfTheShard(String object) {
        assertDamaged(with(new BatchPart(object, null, 20, 3, 4, 7)), "an object that is no part of the shard");
        assertDamaged(FIRST.withGarbage(all -> all.put(object, 1L)), "an object that is no part of the shard");
    }

    @Test
    void shouldRefuseWhatIsOfAnotherShardOrOfANewerVersion() {
        byte[] bytes = StateBytes.whole(NEXT, 7);
        assertThatThrownBy(() -> StateBytes.read("s2", null, bytes))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("it is of shard s1");
        byte[] newer = bytes.clone();
        newer[7] = 5;
        assertThatThrownBy(() -> StateBytes.read("s1", null, sealed(newer)))
                .isInstanceOf(NewerVersionException.class)
                .hasMessageContaining("format 5");
        for (byte older = 0; older <= 3; older++) {
            newer[7] = older;
            assertThatThrownBy(() -> StateBytes.read("s1", null, sealed(newer)))
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining("it has format " + older + ", which no release of Persist has written");
        }
        byte[] changes = StateBytes.changes(NEXT, FIRST.numbered(3), 1, 7);
        assertThatThrownBy(() -> StateBytes.read("s1", FIRST, changes))
                .isInstanceOf(DamagedShardException.class)
                .hasMessageContaining("version 3 does not follow 1");
    }

    @Test
    void shouldKeepTheIdentity() {
        ShardState mine = NEXT.withIdentity("123456789");
        assertThat(StateBytes.read("s1", null, StateBytes.whole(mine, 7))).isEqualTo(mine);
        ShardState later = Holders.removeReader(mine, "r").next().numbered(3);
        assertThat(StateBytes.read("s1", mine, StateBytes.changes(mine, later, 1, 7)))
                .isEqualTo(later);
    }

    /** The checksum is right, so that it is no damage. */
    @ParameterizedTest
    @ValueSource(ints = {0, 14, 255})
    void shouldTakeAChangeOfAnUnknownKindForANewerVersions(int kind) {
        byte[] bytes = StateBytes.changes(FIRST, NEXT, 1, 7);
        byte[] newer = Arrays.copyOf(bytes, bytes.length + 1);
        newer[bytes.length - 4] = (byte) kind;
        assertThatThrownBy(() -> StateBytes.read("s1", FIRST, sealed(newer)))
                .isInstanceOf(NewerVersionException.class)
                .hasMessage("shard=s1 has a change of kind " + kind
                        + ", which this version of Persist does not know: use a newer one");
    }

    @Test
    void shouldHaveAnotherChecksumAfterAnotherHistory() {
        long before = StateBytes.checksum(StateBytes.whole(FIRST, StateBytes.NOTHING));
        byte[] bytes = StateBytes.changes(FIRST, NEXT, 1, before);
        assertThat(StateBytes.readHeader("s1", bytes).before()).isEqualTo(before);
        assertThat(StateBytes.checksum(StateBytes.changes(FIRST, NEXT, 1, before + 1)))
                .isNotEqualTo(StateBytes.checksum(bytes));
    }

    @Test
    void shouldSayOnlyWhatHasChanged() {
        ShardState many = FIRST;
        for (int i = 0; i < 1_000; i++) {
            BatchState batch = BatchState.empty(Frontier.at(i), Frontier.at(i + 1));
            many = many.withUpper(batch.upper(), append(many.batches(), batch));
        }
        ShardState one = many.withUpper(
                Frontier.at(1_001), append(many.batches(), BatchState.empty(Frontier.at(1_000), Frontier.at(1_001))));
        byte[] changes = StateBytes.changes(many, one.numbered(2), 1, 7);
        assertThat(changes.length).isLessThan(120);
        assertThat(StateBytes.read("s1", many, changes)).isEqualTo(one.numbered(2));
    }

    private static List<BatchState> append(List<BatchState> batches, BatchState batch) {
        List<BatchState> all = new ArrayList<>(batches);
        all.add(batch);
        return all;
    }
}
