package io.persist.log;

/** What happens to the file of a retired segment. */
public enum Retirement {
    /** The file is deleted. Tailers that still have it open read on to its end. */
    DELETE,
    /**
     * The file becomes one of the next segments: its blocks stay where they are, so that syncs never have to write
     * metadata. What it holds is overwritten as the log goes on. A tailer that still reads it gets a {@link
     * io.persist.error.RetiredException}; only one without a name that the log's writer has not opened can still be
     * there. A file whose length is not that of new segments is deleted instead.
     */
    RECYCLE
}
