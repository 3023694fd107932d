package io.persist.file.disk;

import io.persist.file.Storage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/**
 * Says why something cannot be done with a file. Many exceptions of {@code java.nio.file} have only the file's name as
 * their message; exceptions of this package have the reason, and what to do if that is clear.
 */
public final class FileReason {

    private FileReason() {}

    /** The reason alone, on one line, without the file's name if the exception has that apart. */
    public static String of(IOException failure) {
        if (failure instanceof FileSystemException e && e.getReason() != null) {
            return e.getReason();
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a directory";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        if (failure instanceof FileSystemLoopException) {
            return "a loop of symbolic links";
        }
        String message = failure instanceof FileSystemException || failure.getMessage() == null
                ? failure.getClass().getSimpleName()
                : failure.getMessage();
        return message.replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }

    /** Why there is no directory at {@code path}; empty if there is one, whatever may be done with it. */
    public static String ofNoDirectory(Path path) {
        return ofNo(path, true);
    }

    /** Why there is no regular file at {@code path}; empty if there is one, whatever may be done with it. */
    public static String ofNoFile(Path path) {
        return ofNo(path, false);
    }

    /** Why nothing can be written into the directory at {@code path}; empty if it can, as far as can be told. */
    public static String ofNoWriting(Path path) {
        if (Files.isReadable(path) && Files.isWritable(path) && Files.isExecutable(path)) {
            return "";
        }
        try {
            return Files.getFileStore(path).isReadOnly() ? "read-only file system" : "permission denied";
        } catch (IOException e) {
            return of(e);
        }
    }

    private static String ofNo(Path path, boolean wantsDirectory) {
        try {
            BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
            if (wantsDirectory ? found.isDirectory() : found.isRegularFile()) {
                return "";
            }
            boolean isFile = found.isRegularFile();
            return found.isDirectory() ? "it is a directory" : isFile ? "it is a file" : "it is a device";
        } catch (NoSuchFileException e) {
            return Files.isSymbolicLink(path) ? "it is a symbolic link that leads to nothing" : ofMissing(path);
        } catch (IOException e) {
            return of(e);
        }
    }

    /** JDK 25 says of what lies below a file that it is not there, JDK 17 that the file is not a directory. */
    private static String ofMissing(Path path) {
        Path above = path.getParent();
        while (above != null && !Files.exists(above)) {
            above = above.getParent();
        }
        return above == null || Files.isDirectory(above) ? "no such file or directory" : "not a directory: " + above;
    }

    /** Runs {@code operation}; a failure says why. */
    static <T> T told(Interrupts.Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (FileSystemException e) {
            throw told(e);
        }
    }

    /** The same failure with a message that says why; of the same class, where callers catch that class. */
    static IOException told(FileSystemException e) {
        String reason = of(e);
        String text = reason.contains(";") ? reason : reason + advice(e, reason);
        FileSystemException told;
        if (e instanceof NoSuchFileException) {
            told = new NoSuchFileException(e.getFile(), e.getOtherFile(), text);
        } else if (e instanceof AccessDeniedException) {
            told = new AccessDeniedException(e.getFile(), e.getOtherFile(), text);
        } else if (e instanceof FileAlreadyExistsException) {
            told = new FileAlreadyExistsException(e.getFile(), e.getOtherFile(), text);
        } else {
            told = new FileSystemException(e.getFile(), e.getOtherFile(), text);
        }
        told.initCause(e);
        return told;
    }

    private static String advice(FileSystemException e, String reason) {
        if (e instanceof AccessDeniedException) {
            return "; give this user the right to it, or run this as another one";
        }
        if (e instanceof NoSuchFileException) {
            return "; look whether its directory is there";
        }
        String lower = reason.toLowerCase(Locale.ROOT);
        if (lower.contains("read-only file system")) {
            return "; mount it for writing, or choose another place";
        }
        if (lower.contains("not a directory")) {
            return "; a file is in the way, choose another place";
        }
        return lower.contains("name too long") ? "; choose a shorter one" : "";
    }

    /**
     * Why {@code file} was not opened: {@link java.io.RandomAccessFile} throws the same exception whether it is gone or
     * cannot be opened.
     */
    static IOException notOpened(Path file, Storage.Access access, FileNotFoundException e) throws IOException {
        if (!isSomething(file)) {
            return e;
        }
        boolean isAllowed = access == Storage.Access.READ
                ? Files.isReadable(file)
                : Files.isWritable(file) || Files.getFileStore(file).isReadOnly();
        String what = access.name().toLowerCase(Locale.ROOT);
        return isAllowed
                ? new IOException("cannot open the file: " + e.getMessage(), e)
                : new AccessDeniedException(
                        file.toString(), null, "permission denied; give this user the right to " + what + " it");
    }

    /** Whether {@code failure} says that the disk is full, or this user's share of it; by words alone, in English. */
    public static boolean isDiskFull(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left") || message.contains("quota exceeded");
    }

    /** Whether {@code failure} says that a file would be longer than this process may write one; by words, too. */
    public static boolean isFileTooLong(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("File too large");
    }

    /** Whether there is anything at {@code path}, be it a link that leads to nothing. */
    static boolean isSomething(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }
}
