package io.persist.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the bytes of an input mean:
 *
 * <pre>
 *   0        1       2          3       4
 *   +--------+-------+----------+-------+------+------+ …
 *   | target | image | settings | mends | edit | edit | …
 *   +--------+-------+----------+-------+------+------+ …
 *
 *   0      1      2       4       12
 *   +------+------+-------+-------+-----+
 *   | verb | file | place | value | raw |      an edit; bit 7 of the verb: after the mending
 *   +------+------+-------+-------+-----+
 * </pre>
 *
 * All numbers are little-endian and taken modulo what there is, so that every input means something. It must not
 * change what an input means that is kept.
 */
record FuzzInput(Target target, String image, Settings settings, int mends, List<Edit> edits) {

    static final int HEADER_LENGTH = 4;

    private static final int MAX_EDITS = 64;
    private static final int LATE = 0x80;

    /** The name of the archive of an input that has one. */
    static final String ZIP = "archive.zip";

    static FuzzInput of(byte[] input) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.max(input.length, HEADER_LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(input)
                .rewind();
        Target target = Target.values()[(bytes.get() & 0xFF) % Target.values().length];
        String image =
                target.images().get((bytes.get() & 0xFF) % target.images().size());
        Settings settings = new Settings(bytes.get() & 0xFF);
        int mends = bytes.get() & 0xFF;
        List<Edit> edits = new ArrayList<>();
        while (bytes.remaining() >= Edit.LENGTH && edits.size() < MAX_EDITS) {
            edits.add(edit(bytes));
        }
        return new FuzzInput(target, image, settings, mends, edits);
    }

    private static Edit edit(ByteBuffer bytes) {
        int verb = bytes.get() & 0xFF;
        int file = bytes.get() & 0xFF;
        int place = bytes.getShort() & 0xFFFF;
        long value = bytes.getLong();
        byte[] raw = new byte[Math.min(Edit.rawLength(verb & ~LATE, place), bytes.remaining())];
        bytes.get(raw);
        return new Edit(verb & ~LATE, (verb & LATE) != 0, file, place, value, raw);
    }

    /** The files that come of it. */
    SortedMap<String, byte[]> files() {
        SortedMap<String, byte[]> files = Images.copy(image);
        if (target == Target.MISUSE) {
            return files; // the edits are steps
        }
        edits.stream().filter(edit -> !edit.isLate()).forEach(edit -> edit.apply(files));
        new Mending(mends).mend(files);
        SortedMap<String, byte[]> last = files;
        if (target == Target.ARCHIVE && settings.isZip()) {
            last = new TreeMap<>();
            last.put(ZIP, Images.zip(files));
        }
        for (Edit edit : edits) {
            if (edit.isLate()) {
                edit.apply(last);
            }
        }
        return last;
    }
}
