package io.persist.archive;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads all of an archive and compares it with its manifest. What it reads may be anybody's work. */
public final class ArchiveReader {

    /** Where the files go. */
    public interface Opener {
        OutputStream begin(String name) throws IOException;
    }

    /** What follows each file. */
    public interface Ending {
        void end() throws IOException;
    }

    private record Found(long length, int checksum) {}

    private static final int PIECE_LENGTH = 64 << 10;

    private final ArchiveSource source;
    private final Opener opener;
    private final Ending ending;
    private final Map<String, Found> found = new TreeMap<>();
    private @Nullable ArchiveManifest manifest;

    ArchiveReader(ArchiveSource source, Opener opener, Ending ending) {
        this.source = source;
        this.opener = opener;
        this.ending = ending;
    }

    /**
     * @throws UnsupportedFormatException if there is no manifest, or a newer version wrote it
     * @throws CorruptLogException if the archive is not what its manifest says
     */
    ArchiveManifest read() throws IOException {
        source.readAll(this::file);
        ArchiveManifest expected = manifest;
        if (expected == null) {
            throw new UnsupportedFormatException("not an archive: there is no manifest, file=" + ArchiveManifest.NAME
                    + "; name what the command archive has made, a directory or FILE.zip; a log itself is no archive");
        }
        for (ArchivedSegment segment : expected.segments()) {
            compare(segment, found.remove(segment.name()));
        }
        if (!found.isEmpty()) {
            throw ArchiveManifest.damaged("the manifest does not have " + String.join(", ", found.keySet()));
        }
        return expected;
    }

    private static void compare(ArchivedSegment segment, @Nullable Found file) {
        if (file == null) {
            throw damaged(segment, "the segment is missing");
        }
        if (file.length != segment.length()) {
            throw damaged(segment, "the segment's length should be " + segment.length() + " but is " + file.length);
        }
        if (file.checksum != segment.checksum()) {
            HexFormat hex = HexFormat.of();
            throw damaged(
                    segment,
                    "the segment's CRC32C should be " + hex.toHexDigits(segment.checksum()) + " but is "
                            + hex.toHexDigits(file.checksum));
        }
    }

    private static CorruptLogException damaged(ArchivedSegment segment, String what) {
        return ArchiveManifest.damaged(segment.name(), segment.basePosition(), what);
    }

    /** Names are not used for anything but those that an archive has: so no file is written anywhere else. */
    private void file(String name, InputStream content) throws IOException {
        if (name.equals(ArchiveManifest.NAME) && manifest == null) {
            manifest = ArchiveManifest.decode(content.readNBytes(ArchiveManifest.MAX_LENGTH));
        } else if (LogFileName.basePosition(name).isPresent() && !found.containsKey(name)) {
            OutputStream out = opener.begin(name);
            found.put(name, copy(name, content, out));
            ending.end();
        } else if (name.equals(LogFileName.CONTROL)) { // which comes before the manifest of a backup
            throw ArchiveManifest.ofABackup();
        } else {
            String visible = ArchiveManifest.visible(name);
            throw ArchiveManifest.damaged("an archive has no such file, or not twice: '" + visible + "'");
        }
    }

    private static Found copy(String name, InputStream content, OutputStream out) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[PIECE_LENGTH];
        long length = 0;
        for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
            length += read;
            if (length > SegmentHeader.MAX_SEGMENT_LENGTH) {
                throw ArchiveManifest.damaged(name, 0, "the file is longer than any segment");
            }
            crc.update(piece, 0, read);
            out.write(piece, 0, read);
        }
        return new Found(length, (int) crc.getValue());
    }
}
