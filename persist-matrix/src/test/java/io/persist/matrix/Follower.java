package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.read.Tailer;
import io.persist.packet.PacketReader;
import io.persist.store.state.EntryCursor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the log of a {@link Subject} without its writer while that works, dies or recovers: all entries have to be
 * whole and in order, without a gap but where old ones were taken away. Remembers what it saw, to be compared with what
 * is left.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class Follower implements AutoCloseable {

    private static final int AT_ONCE = 64;

    private record Found(long position, long sequence, ByteBuffer payload) {}

    private final Subject subject;
    private final Tailer tailer;

    /** The lives of the entries that were seen, by their numbers. */
    private final Map<Long, Integer> seen = new HashMap<>();

    private long last;

    /** The number of the record before the next one, 0 if any record may come. */
    private long sequence;

    /** The number of the entry before the next one, 0 if any may come. */
    private long number;

    private Follower(Subject subject, Tailer tailer) {
        this.subject = subject;
        this.tailer = tailer;
    }

    /** One at the start of the log. */
    public static Follower open(Subject subject, Storage storage, ReadScope scope, ReadMode mode) {
        return new Follower(subject, subject.tailer(storage, scope, mode));
    }

    /** Reads all that there is by now. */
    public void readOn() {
        while (readSome()) {
            // Until there is nothing new.
        }
    }

    private boolean readSome() {
        List<Found> found = new ArrayList<>();
        try {
            // It is looked at after the call, which says whether it was still the log's when it was copied.
            return tailer.poll((at, of, payload) -> found.add(new Found(at, of, copy(payload))), AT_ONCE) > 0;
        } catch (RetiredException overtaken) {
            found.clear();
            tailer.toStart();
            sequence = 0;
            number = 0;
            return false;
        } finally {
            found.forEach(this::look);
        }
    }

    private static ByteBuffer copy(ByteBuffer payload) {
        byte[] bytes = new byte[payload.remaining()];
        payload.get(payload.position(), bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void look(Found found) {
        boolean goesOn = sequence == 0 || found.sequence == sequence + 1;
        if (!goesOn && subject.logger() == Subject.Logger.STORE && found.sequence > sequence) {
            number = 0; // compaction has emptied the segments between them
        } else {
            assertThat(goesOn)
                    .as("record %d follows %d", found.sequence, sequence)
                    .isTrue();
        }
        sequence = found.sequence;
        switch (subject.logger()) {
            case MESSAGE -> {
                assertThat(Entries.numberOf(found.payload)).isEqualTo(found.sequence);
                follow(checked(found.payload));
            }
            case PACKET -> {
                assertThat(packet(found)).isEqualTo(found.sequence);
                follow(found.sequence);
            }
            case STORE -> transaction(found);
        }
    }

    private void follow(long next) {
        assertThat(number == 0 || next == number + 1)
                .as("entry %d follows %d", next, number)
                .isTrue();
        number = next;
    }

    /** Notes an entry; returns its number. */
    private long checked(ByteBuffer entry) {
        long found = Entries.numberOf(entry);
        int life = Entries.lifeOf(entry);
        Life.check(Entries.bytes(found, life), found, entry);
        Integer before = seen.put(found, life);
        assertThat(before == null || before == life)
                .as("entry %d was of life %s and is of life %d", found, before, life)
                .isTrue();
        last = Math.max(last, found);
        return found;
    }

    private long packet(Found found) {
        PacketReader reader = new PacketReader().wrap(found.payload, found.position);
        assertThat(reader.nextMessage()).isTrue();
        ByteBuffer entry = reader.message();
        byte[] bytes = new byte[entry.remaining()];
        entry.get(entry.position(), bytes);
        long itsNumber = checked(ByteBuffer.wrap(bytes));
        PacketLife.check(bytes, itsNumber, new PacketReader().wrap(found.payload, found.position));
        return itsNumber;
    }

    private void transaction(Found found) {
        EntryCursor changes = new EntryCursor().wrap(found.payload, found.position);
        List<ByteBuffer> values = new ArrayList<>();
        boolean isNewest = false;
        while (changes.next()) {
            if (changes.isPut()) {
                ByteBuffer key = found.payload.slice(changes.keyIndex(), changes.keyLength());
                isNewest |= values.isEmpty() && key.equals(ByteBuffer.wrap(StoreLife.NEWEST));
                values.add(found.payload.slice(changes.valueIndex(), changes.valueLength()));
            }
        }
        if (changes.isMove()) {
            values.forEach(this::checked);
            return;
        }
        assertThat(values).as("values of transaction %d", found.sequence).hasSize(2);
        assertThat(isNewest)
                .as("the first key of transaction %d", found.sequence)
                .isTrue();
        assertThat(values.get(1)).isEqualTo(values.get(0));
        follow(checked(values.get(0)));
    }

    /** The number of the last entry that was seen, 0 if none was. */
    public long last() {
        return last;
    }

    /** That everything which was seen is there now, where there is what {@code entries} has. */
    public void checkAllIsIn(Entries entries) {
        seen.forEach((found, life) -> {
            assertThat(found).as("an entry that a reader saw").isLessThanOrEqualTo(entries.last());
            assertThat(entries.lifeOf(found))
                    .as("the life of entry %d, which a reader saw", found)
                    .isEqualTo(life);
        });
    }

    @Override
    public void close() {
        tailer.close();
    }
}
