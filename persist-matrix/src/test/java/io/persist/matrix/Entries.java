package io.persist.matrix;

import io.persist.support.Records;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;

/**
 * What was appended, entry by entry: the number of each, which is 1 for the first, and the life in which it was. An
 * entry's bytes follow from both. So an entry of an earlier life that comes back in the place of a later one is found
 * out. Most lives give the same length to an entry of the same number, so that entries of an earlier life which are
 * left behind the last one would continue the log.
 *
 * <p><b>Threads:</b> any.
 */
public final class Entries {

    private static final int HEADER_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int MAX_LENGTH = 200;

    /** Each of these many lives has lengths of its own. */
    private static final int OTHER_LENGTHS = 4;

    /** The life of entry i + 1 is at i. */
    private final List<Integer> lives = new ArrayList<>();

    private long oldest = 1;

    public synchronized long last() {
        return lives.size();
    }

    /** One more entry; returns its number. */
    public synchronized long add(int life) {
        lives.add(life);
        return lives.size();
    }

    /** From now on entries before {@code number} may be gone: retention takes them. Their numbers go on. */
    public synchronized void mayBeginAt(long number) {
        oldest = Math.max(oldest, number);
    }

    /** The number of the oldest entry that has to be there. */
    public synchronized long oldest() {
        return oldest;
    }

    /** There are no entries beyond {@code last} any more; their numbers will be taken by others. */
    public synchronized void forgetAfter(long last) {
        lives.subList((int) last, lives.size()).clear();
    }

    /** The bytes of entry {@code number}. */
    public byte[] bytes(long number) {
        return bytes(number, lifeOf(number));
    }

    /** The life in which entry {@code number} was appended. */
    public synchronized int lifeOf(long number) {
        return lives.get((int) number - 1);
    }

    /** The bytes of entry {@code number} if it was appended in {@code life}. */
    static byte[] bytes(long number, int life) {
        long seed = number * 1_000_003 + life;
        long lengthSeed = life % OTHER_LENGTHS == 0 ? seed : number * 1_000_003;
        int length = (int) Long.remainderUnsigned(lengthSeed * 0x9E3779B97F4A7C15L >>> 8, MAX_LENGTH);
        return ByteBuffer.allocate(HEADER_LENGTH + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .putInt(life)
                .put(Records.of(seed, length))
                .array();
    }

    /** The number that the bytes of an entry tell. */
    public static long numberOf(ByteBuffer entry) {
        return entry.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(entry.position());
    }

    /** The life that the bytes of an entry tell. */
    static int lifeOf(ByteBuffer entry) {
        return entry.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt(entry.position() + Long.BYTES);
    }

    /** A text without spaces for {@link #parse}: the oldest entry, and how many each life has, in their order. */
    public synchronized String format() {
        StringJoiner runs = new StringJoiner(",");
        for (int i = 0, from = 0; i < lives.size(); i++) {
            if (i + 1 == lives.size() || !lives.get(i + 1).equals(lives.get(i))) {
                runs.add(lives.get(i) + "*" + (i + 1 - from));
                from = i + 1;
            }
        }
        return oldest + ":" + runs;
    }

    /** The entries of a text that {@link #format} has made. */
    public static Entries parse(String text) {
        Entries entries = new Entries();
        int colon = text.indexOf(':');
        entries.oldest = Long.parseLong(text.substring(0, colon));
        String runs = text.substring(colon + 1);
        for (String run : runs.isEmpty() ? new String[0] : runs.split(",", -1)) {
            int star = run.indexOf('*');
            int life = Integer.parseInt(run.substring(0, star));
            entries.lives.addAll(Collections.nCopies(Integer.parseInt(run.substring(star + 1)), life));
        }
        return entries;
    }
}
