/* The working directory of one thread alone: formats that note the name of the file they write note
 * it without any folder if they are run where it lies. */
#ifndef PREDT__APART_H
#define PREDT__APART_H

/* Moves this thread to the folder; others stay where they are. Returns what predt__come_back takes;
 * -1 if it cannot be done. */
int predt__go_to(const char *folder);
void predt__come_back(int before);

#endif
