package io.persist.store.read;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.StoreLogger;
import io.persist.codec.Decoder;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreEntry;
import io.persist.store.Texts;
import io.persist.store.transaction.OptimisticTransaction;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Code that reads by the interface sees of the store, a snapshot and a transaction what each of them shows. */
class StoreReadsTest {

    private static final Decoder<String> TEXT = payload -> String.valueOf(Texts.text(payload));
    private static final String DAMAGED = "the value that is damaged";

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreLogger store = Texts.open(storage);

    @AfterEach
    void shouldLeaveNothingOpen() {
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    /** What every method tells of {@code key}, which is the same; null if there is no such key. */
    private static @Nullable String shown(StoreReads reads, String key) {
        byte[] of = bytes(key);
        String shown = reads.get(of, TEXT);
        assertThat(reads.contains(of)).isEqualTo(shown != null);
        assertThat(Texts.text(reads.get(of))).isEqualTo(shown);
        assertThat(reads.getBytes(of)).isEqualTo(shown == null ? null : bytes(shown));
        assertThat(Texts.text(reads.getUntilNext(of))).isEqualTo(shown);
        StoreEntry at = reads.floorEntry(of);
        boolean isIt = at != null && new String(at.key(), StandardCharsets.UTF_8).equals(key);
        assertThat(isIt ? new String(at.value(), StandardCharsets.UTF_8) : null).isEqualTo(shown);
        return shown;
    }

    private static List<String> all(StoreReads reads) {
        List<String> all = new ArrayList<>();
        try (StoreScan scan = reads.scan(KeyRange.all(), Direction.FORWARD)) {
            while (scan.next()) {
                all.add(Texts.text(scan.key()) + "=" + Texts.text(scan.value()));
            }
        }
        return all;
    }

    @Test
    void shouldShowTheMomentOfEach() {
        Texts.put(store, "a", "old");
        Texts.put(store, "b", "old");
        Texts.put(store, "c", "old");
        try (StoreSnapshot snapshot = store.snapshot()) {
            Texts.put(store, "a", "new");
            store.remove(bytes("b"));
            try (Transaction transaction = store.begin()) {
                transaction.put(bytes("a"), bytes("own"));
                transaction.put(bytes("d"), bytes("own"));
                transaction.removeRange(KeyRange.prefix(bytes("c")));
                assertThat(List.of(all(store), all(snapshot), all(transaction)))
                        .containsExactly(
                                List.of("a=new", "c=old"),
                                List.of("a=old", "b=old", "c=old"),
                                List.of("a=own", "d=own"));
                for (StoreReads reads : List.of(store, snapshot, transaction)) {
                    List<String> shown = new ArrayList<>();
                    for (String key : List.of("a", "b", "c", "d", "e")) {
                        String value = shown(reads, key);
                        if (value != null) {
                            shown.add(key + "=" + value);
                        }
                    }
                    assertThat(shown).isEqualTo(all(reads));
                }
            }
        }
    }

    @Test
    void shouldShowTheMomentAndTheWritesOfAnOptimisticTransaction() {
        Texts.put(store, "a", "old");
        Texts.put(store, "b", "old");
        Texts.put(store, "c", "old");
        try (OptimisticTransaction transaction = store.beginOptimistic()) {
            transaction.put(bytes("a"), bytes("own"));
            transaction.put(bytes("d"), bytes("own"));
            transaction.removeRange(KeyRange.prefix(bytes("c")));
            List<String> shown = new ArrayList<>();
            for (String key : List.of("a", "b", "c", "d", "e")) {
                String value = shown(transaction, key);
                if (value != null) {
                    shown.add(key + "=" + value);
                }
            }
            assertThat(shown).containsExactly("a=own", "b=old", "d=own").isEqualTo(all(transaction));
            assertThat(transaction.tryCommit()).isTrue();
        }
    }

    @Test
    void shouldTellThatADamagedValueIsThere() {
        Texts.put(store, "damaged", DAMAGED);
        try (StoreSnapshot snapshot = store.snapshot();
                Transaction transaction = store.begin()) {
            byte[] segment = storage.content(LogFileName.segment(0));
            segment[new String(segment, StandardCharsets.ISO_8859_1).indexOf(DAMAGED)] ^= 1;
            storage.replace(LogFileName.segment(0), segment);
            for (StoreReads reads : List.of(store, snapshot, transaction)) {
                assertThat(reads.contains(bytes("damaged"))).isTrue();
                assertThatExceptionOfType(CorruptLogException.class)
                        .isThrownBy(() -> reads.get(bytes("damaged"), TEXT));
            }
        }
    }

    /** Its own buffer is still there after it has read another value. */
    @Test
    void shouldLetTheDecoderRead() {
        Texts.put(store, "a", "b");
        Texts.put(store, "b", "the other one");
        try (StoreSnapshot snapshot = store.snapshot();
                Transaction transaction = store.begin()) {
            for (StoreReads reads : List.of(store, snapshot, transaction)) {
                assertThat(reads.<String>get(bytes("a"), payload -> {
                            String next = String.valueOf(Texts.text(payload));
                            return reads.get(bytes(next), TEXT) + " of " + Texts.text(payload);
                        }))
                        .isEqualTo("the other one of b");
                assertThatExceptionOfType(UncheckedIOException.class)
                        .isThrownBy(() -> reads.get(bytes("a"), payload -> {
                            throw new IOException("no such message");
                        }));
            }
        }
    }

    @Test
    void shouldRefuseWhatIsNoKeyAndWhatIsClosed() {
        StoreSnapshot snapshot = store.snapshot();
        Transaction transaction = store.begin();
        for (StoreReads reads : List.of(store, snapshot, transaction)) {
            assertThatIllegalArgumentException().isThrownBy(() -> reads.contains(new byte[0]));
            assertThatIllegalArgumentException().isThrownBy(() -> reads.get(new byte[1025], TEXT));
        }
        snapshot.close();
        transaction.rollback();
        store.close();
        for (StoreReads reads : List.of(store, snapshot, transaction)) {
            assertThatIllegalStateException().isThrownBy(() -> reads.contains(bytes("a")));
            assertThatIllegalStateException().isThrownBy(() -> reads.get(bytes("a"), TEXT));
        }
    }
}
