package io.persist.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What somebody can put in the place of a file. */
public enum NoFile {
    DIRECTORY {
        @Override
        void put(Path at, Path victim) throws IOException {
            Files.createDirectory(at);
        }
    },
    /** Who opens it waits until somebody opens the other end. */
    FIFO {
        @Override
        void put(Path at, Path victim) throws IOException {
            try {
                int code = new ProcessBuilder("mkfifo", at.toString())
                        .inheritIO()
                        .start()
                        .waitFor();
                if (code != 0) {
                    throw new IOException("mkfifo returned " + code);
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    },
    SOCKET {
        @Override
        void put(Path at, Path victim) throws IOException {
            try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(UnixDomainSocketAddress.of(at));
            }
        }
    },
    DANGLING_LINK {
        @Override
        void put(Path at, Path victim) throws IOException {
            Files.createSymbolicLink(at, victim.resolveSibling("not-there"));
        }
    },
    LINK_TO_A_FILE {
        @Override
        void put(Path at, Path victim) throws IOException {
            Files.createSymbolicLink(at, victim);
        }
    },
    LINK_TO_A_DIRECTORY {
        @Override
        void put(Path at, Path victim) throws IOException {
            Files.createSymbolicLink(at, victim.getParent());
        }
    };

    abstract void put(Path at, Path victim) throws IOException;

    /**
     * Puts it in the place of the file {@code at}, if there is one.
     *
     * @param victim a file of somebody else, in another directory
     */
    public void replace(Path at, Path victim) throws IOException {
        Files.deleteIfExists(at);
        put(at, victim);
    }

    /** What is in {@code directory}: of each name what it is, and of a file its bytes. */
    public static Map<String, Object> content(Path directory) {
        Map<String, Object> content = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                content.put(directory.relativize(path).toString(), one(path));
            }
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object one(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return Files.readSymbolicLink(path);
        }
        boolean isFile = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        return isFile ? ByteBuffer.wrap(Files.readAllBytes(path)) : Files.isDirectory(path) ? "directory" : "device";
    }
}
