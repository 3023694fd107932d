package io.persist.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The files that inputs change: logs, stores and archives as Persist wrote them once. They are kept, so that an input
 * means the same for ever; {@link ImagesTest} has made them.
 */
final class Images {

    /** The cursor that the logs have. */
    static final String CURSOR = "reader";

    static final int SEGMENT_LENGTH = 4096;

    private static final LocalDateTime NO_TIME = LocalDateTime.of(2026, 1, 1, 0, 0);
    private static final Map<String, SortedMap<String, byte[]>> LOADED = new HashMap<>();

    private Images() {}

    /** The files of an image, to be changed. */
    static synchronized SortedMap<String, byte[]> copy(String name) {
        SortedMap<String, byte[]> files = new TreeMap<>(LOADED.computeIfAbsent(name, Images::load));
        files.replaceAll((file, bytes) -> bytes.clone());
        return files;
    }

    private static SortedMap<String, byte[]> load(String name) {
        try (InputStream zip = Images.class.getResourceAsStream("images/" + name + ".zip")) {
            if (zip == null) {
                throw new IllegalArgumentException("no image: " + name);
            }
            return unzip(zip.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SortedMap<String, byte[]> unzip(byte[] bytes) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), zip.readAllBytes());
            }
        }
        return files;
    }

    /** The same bytes for the same files. */
    static byte[] zip(SortedMap<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(NO_TIME);
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
